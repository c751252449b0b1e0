"""Types of answers, by the names of the API. Answers are dictionaries; a key that may be missing is in the second class."""

from __future__ import annotations

from typing import Any, Dict, List, TypedDict, Union

from .parameters import CameraOptions


class Box(TypedDict):
    """A box in pixels of the upright photo."""

    x1: int
    y1: int
    x2: int
    y2: int


class _Quality(TypedDict):
    #: Shorter side of the box in pixels.
    size: int
    sharpness: float
    brightness: float
    contrast: float
    #: Degrees.
    yaw: float
    pitch: float
    roll: float


class Quality(_Quality, total=False):
    #: From 0 to 1: the number to decide by.
    quality: float
    #: Of the detector, from 0 to 1.
    score: float


class Attributes(TypedDict, total=False):
    #: Years.
    age: float
    gender: str
    emotions: List[str]


class DetectedFace(Box, Attributes, total=False):
    quality: Quality
    liveness: float


class _DetectAnswer(TypedDict):
    faces: List[DetectedFace]
    #: EXIF orientation of the photo, 1 to 8.
    orientation: int


class DetectAnswer(_DetectAnswer, total=False):
    #: Why there are no faces, for people: those of the photo are too small.
    reason: str


class _Pair(TypedDict):
    bbox1: Box
    bbox2: Box
    confidence: float


class Pair(_Pair, total=False):
    verified: bool
    liveness1: float
    liveness2: float


class _VerifyAnswer(TypedDict):
    results: List[Pair]


class VerifyAnswer(_VerifyAnswer, total=False):
    verified: bool


class _Face(Box):
    id: int
    #: ISO 8601.
    timestamp: str
    photo: str
    photo_hash: str
    #: Links to pictures, with a signature that expires.
    thumbnail: str
    normalized: str
    meta: str
    galleries: List[str]
    friend: bool


class Face(_Face, Attributes, total=False):
    person_id: Union[int, str]
    cam_id: str
    quality: Quality
    liveness: float
    detector_info: Any


class Match(TypedDict):
    confidence: float
    face: Face


class _IdentifyAnswer(TypedDict):
    #: Matches by box; ``box_of`` reads the keys.
    results: Dict[str, List[Match]]


class IdentifyAnswer(_IdentifyAnswer, total=False):
    liveness: Dict[str, float]


class MetaEntry(TypedDict):
    meta: str
    #: Number of faces.
    count: int
    #: The first of them.
    face: Face


class _Gallery(TypedDict):
    name: str


class Gallery(_Gallery, total=False):
    retention_days: int


class _GalleryStatistics(TypedDict):
    name: str
    faces: int


class GalleryStatistics(_GalleryStatistics, total=False):
    """``vectors``, ``indexed`` and ``index`` are missing while the vector store is unavailable."""

    retention_days: int
    vectors: int
    indexed: int
    #: none, building or ready.
    index: str


class Person(TypedDict):
    id: int
    meta: str


class _LatestFace(TypedDict):
    face_id: int
    #: ISO 8601.
    timestamp: str
    friend: bool


class LatestFace(_LatestFace, total=False):
    cam_id: str


class _PersonSummary(Person):
    #: Number of faces.
    count: int


class PersonSummary(_PersonSummary, total=False):
    face: Face
    latest: LatestFace


class SuggestedPerson(_PersonSummary):
    #: The face that was compared.
    face: Face


class PersonSuggestion(TypedDict):
    confidence: float
    #: The person with the higher id first.
    persons: List[SuggestedPerson]


class PersonHistoryEntry(TypedDict):
    person_id: int
    face_id: int
    cam_id: str
    meta: str
    screenshot: str
    timestamp: str


class _HistoryEvent(Box):
    id: int
    friend: bool
    meta: str
    photo_hash: str
    photo: str
    cam_id: str
    timestamp: str


class HistoryEvent(_HistoryEvent, total=False):
    person_id: Union[int, str]


class LiveEvent(TypedDict):
    #: Position of the event. As ``last_event_id`` it resumes after this event.
    id: str
    face: Face


class _Camera(TypedDict):
    id: str
    enabled: bool


class Camera(_Camera, total=False):
    meta: str
    url: str
    detector: str
    rot: List[int]
    roi: List[int]
    retention_days: int
    options: CameraOptions


class CameraState(TypedDict):
    #: Whether a watcher holds the camera and frames arrive.
    live: bool
    watcher: Union[str, None]
    #: ISO 8601.
    since: Union[str, None]
    fps: Union[float, None]
    dropped: Union[int, None]
    #: Seconds.
    frame_age: Union[float, None]
    last_error: Union[str, None]
    width: Union[int, None]
    height: Union[int, None]
    losses: Union[int, None]


class CameraLease(TypedDict):
    #: Whether the next report should have a picture.
    picture_wanted: bool


#: Hours of days: days like mon, and times like 18:00.
Hours = TypedDict("Hours", {"days": List[str], "from": str, "to": str})


class _Alert(TypedDict):
    id: str
    name: str
    enabled: bool
    #: From 0 to 1.
    threshold: float
    time_zone: str
    cooldown_seconds: int
    created: str
    #: The webhook. Empty: alerts are in live streams only.
    url: str


class Alert(_Alert, total=False):
    cam_ids: List[str]
    person_ids: List[int]
    gallery: str
    unknown: bool
    friend: bool
    hours: List[Hours]


class NewAlert(Alert, total=False):
    #: ``whsec_...``: in this answer only, with the first webhook of the rule.
    secret: str


class NewSecret(TypedDict):
    secret: str


class _Delivery(TypedDict):
    id: int
    #: The header ``webhook-id`` of all attempts.
    message_id: str
    #: face.seen or test.
    type: str
    #: pending, delivered or failed.
    state: str
    created: str
    attempts: int


class Delivery(_Delivery, total=False):
    event_id: int
    face_id: int
    #: The present person of the face.
    person_id: Union[int, str]
    next_attempt: str
    ended: str
    fault: str


class NamedAlert(TypedDict):
    id: str
    name: str


class _AlertPerson(TypedDict):
    id: Union[int, str]
    #: Number of the faces of this person that cameras have posted.
    seen: int


class AlertPerson(_AlertPerson, total=False):
    #: Missing when ``id`` is a text.
    meta: str
    #: Time of the earliest of the faces.
    first_seen: str


class _AlertData(TypedDict):
    alert: NamedAlert


class AlertData(_AlertData, total=False):
    """What an alert says. A test has the rule alone."""

    event_id: int
    face: Face
    #: Missing for a face without a person.
    person: AlertPerson
    #: Faces of the gallery of the rule.
    matches: List[Match]


class AlertMessage(TypedDict):
    """The body of a message to a webhook. Verify its signature first."""

    #: face.seen or test.
    type: str
    timestamp: str
    data: AlertData


class LiveAlert(TypedDict):
    #: Position, as that of events.
    id: str
    alert: AlertData


class _Token(TypedDict):
    id: str
    #: What the token is for.
    name: str
    scope: str
    created: str
    #: Whether the service accepts the token.
    valid: bool


class Token(_Token, total=False):
    #: Requests per second. Missing: the default of the service.
    rate: float
    #: ISO 8601, as all times. Missing: never used.
    last_used: str
    #: Missing: the token never expires.
    expires: str
    #: End of the token. It may lie in the future after a rotation.
    revoked: str


class CurrentToken(Token):
    #: Name of the owner.
    owner: str
    #: What the scope allows.
    permissions: List[str]


class CreatedToken(Token):
    #: Text of the token. Only this answer has it.
    token: str


class RotatedToken(CreatedToken):
    replaced: Token


class AuditEntry(TypedDict):
    #: Number in the log of the installation.
    seq: int
    time: str
    #: ``token`` and an id, ``operator``, or ``service``.
    actor: str
    action: str
    #: Ids, counts and fixed words.
    subject: Dict[str, Any]


class _AuditVerification(TypedDict):
    intact: bool
    verified_from: int
    verified_to: int
    #: The newest entry. Greater than ``verified_to`` until all are verified.
    last: int
    since: str


class AuditVerification(_AuditVerification, total=False):
    fault: str


class Shards(TypedDict):
    live: int
    total: int
    available: List[bool]


class BackupTimes(TypedDict, total=False):
    """Times of backups and drills. Absent: never."""

    #: The last start of a backup.
    started: str
    #: End of the last complete backup.
    completed: str
    #: End of the last failed backup into a repository.
    failed: str
    #: End of the last drill without a fault.
    drilled: str


class _ServiceState(TypedDict):
    version: str
    pack: str
    embedder: str
    #: Start of the core that answers.
    started: str
    disk_full: bool
    shards: Shards
    backup: BackupTimes
    #: ``operation``, and its quantiles ``p50`` and ``p99`` in seconds.
    durations: List[Dict[str, Any]]


class ServiceState(_ServiceState, total=False):
    #: ``table``, ``thresholds`` and ``curve``.
    calibration: Dict[str, Any]

"""Types of answers, by the names of the API. `npm run openapi` generates them from the OpenAPI document of v1."""

from __future__ import annotations

from typing import Any, Dict, List, Sequence, TypedDict, Union


class _DetectedFace(TypedDict):
    x1: int
    y1: int
    x2: int
    y2: int


class DetectedFace(_DetectedFace, total=False):
    quality: Quality
    liveness: float
    age: float
    #: One of male, female.
    gender: str
    emotions: List[str]


class _DetectAnswer(TypedDict):
    faces: List[DetectedFace]
    #: EXIF orientation; 1 if the photo has none.
    orientation: int


class DetectAnswer(_DetectAnswer, total=False):
    #: Why `faces` is empty, for people: the photo shows faces, but they are too small.
    reason: str


class _Pair(TypedDict):
    bbox1: Box
    confidence: float


class Pair(_Pair, total=False):
    #: Present with `photo2`.
    bbox2: Box
    #: Present with `person_id`.
    person: Person
    #: With `person_id`: certainty of the match. For one stranger in 1,000, it is `certain`. Absent for a weak match. One of certain, probable.
    verdict: str
    verified: bool
    liveness1: float
    liveness2: float


class _VerifyAnswer(TypedDict):
    results: List[Pair]


class VerifyAnswer(_VerifyAnswer, total=False):
    verified: bool


class _IdentifyAnswer(TypedDict):
    #: Matches of each face, in descending order of confidence. The key is the box of the face: `[x1, y1, x2, y2]`.
    results: Dict[str, List[Match]]


class IdentifyAnswer(_IdentifyAnswer, total=False):
    #: With `liveness`: the liveness of each face, with the same keys.
    liveness: Dict[str, float]
    #: With `fpir` or `target=persons`: how false alarms were bounded.
    search: FalseAlarmBound


class CameraLease(TypedDict):
    picture_wanted: bool


Hours = TypedDict("Hours", {"days": List[str], "from": str, "to": str})


class _NewAlert(TypedDict):
    id: str
    #: The least confidence of a match in the gallery.
    threshold: float
    #: The time zone of `hours`, for example `Europe/Berlin`.
    time_zone: str
    #: Seconds without a further message about the same person.
    cooldown_seconds: int
    name: str
    enabled: bool
    #: The webhook: messages are posted to this URL. Empty: alerts are in live streams only.
    url: str
    created: str


class NewAlert(_NewAlert, total=False):
    cam_ids: List[str]
    person_ids: List[int]
    #: The rule does not alert to these persons, also when a face probably shows one of them.
    except_person_ids: List[int]
    #: The person of the face has a face in this gallery, or the face matches one there that is of no other person. With `unknown`: neither.
    gallery: str
    #: Instead of the threshold: the share of strangers that may match the gallery.
    fpir: float
    #: With `gallery`: no person of the gallery, not even probably. Else: the face is the first one of its person. A poor or covered face is never unknown.
    unknown: bool
    friend: bool
    #: The least measured quality of the face. A better picture of a visit may reach it.
    min_quality: float
    hours: List[Hours]
    #: Whether messages to phones and browsers carry the picture of the face: ntfy and Telegram get a file, others get a link that expires after a day.
    pictures: bool
    #: The service of `url`: its messages are a title, a sentence and a link. Absent: Standard Webhooks. One of ntfy, gotify, telegram.
    format: str
    #: Whether browsers that asked for them show its alerts as notifications.
    browsers: bool
    #: `whsec_...`. Shown in this answer only.
    secret: str


class NewSecret(TypedDict):
    #: `whsec_...`. Shown in this answer only.
    secret: str


class _AlertMark(TypedDict):
    #: Number of unseen alerts. Filters do not change it.
    unseen: int


class AlertMark(_AlertMark, total=False):
    seen: Dict[str, Any]


class Notifications(TypedDict):
    #: The `applicationServerKey` of subscriptions.
    public_key: str
    #: Their ids: the first 32 hexadecimal digits of the SHA-256 of their endpoints.
    subscriptions: List[str]


class NewSubscription(TypedDict):
    id: str


class LiveEvent(TypedDict):
    #: As `last_event_id` it resumes after this one.
    id: str
    face: Face


class LiveAlert(TypedDict):
    #: As `last_event_id` it resumes after this one.
    id: str
    alert: AlertData


class _Quality(TypedDict):
    #: Shorter side of the part of the box on the photo, in pixels of the photo.
    size: int
    #: Share of fine detail that blurring would remove. 0: the picture has no fine detail.
    sharpness: float
    #: Mean lightness of the face.
    brightness: float
    #: Standard deviation of the lightness.
    contrast: float
    #: Rotation of the head to the right of the picture, in degrees.
    yaw: float
    #: Rotation of the head upwards, in degrees.
    pitch: float
    #: Clockwise rotation of the head in the picture plane, in degrees.
    roll: float


class Quality(_Quality, total=False):
    #: Probability that the face matches another good picture of its person. Base decisions on this field. Absent for faces stored by earlier versions.
    quality: float
    #: Score of the detection. For a box of the request: of the detection at this place, and 0 without one.
    score: float


class Box(TypedDict):
    x1: int
    y1: int
    x2: int
    y2: int


class _Person(TypedDict):
    id: int
    meta: str


class Person(_Person, total=False):
    #: True for a person to ignore: no alert rule tells of this person.
    silent: bool


class _Match(TypedDict):
    confidence: float
    face: Face


class Match(_Match, total=False):
    #: With `target=persons`: the person. `face` is the face of the person that is closest to the photo.
    person: Dict[str, Any]
    #: With `fpir` or `target=persons`. At most one stranger in 1000 has a certain match, and one in 100 a probable one. Absent for a weaker match. One of certain, probable.
    verdict: str


class _Face(TypedDict):
    id: int
    #: UTC with six decimals, without a zone.
    timestamp: str
    #: URL as sent, name of the uploaded file, or empty.
    photo: str
    #: Equal photos have equal hashes.
    photo_hash: str
    #: Link to the thumbnail. It needs no token and expires. Empty if no picture is stored.
    thumbnail: str
    #: Link to the aligned square crop of the face. It needs no token and expires. Empty if no picture is stored.
    normalized: str
    x1: int
    y1: int
    x2: int
    y2: int
    meta: str
    galleries: List[str]
    #: Whether the camera has seen this person on several recent days.
    friend: bool


class Face(_Face, total=False):
    person_id: Union[int, str]
    #: The person that a face without a person probably shows, until a user answers: one stranger in 20 gets a candidate. `person_id` of PUT /face/id/ID says yes, `not_person` no.
    candidate: Dict[str, Any]
    cam_id: str
    age: float
    gender: str
    emotions: List[str]
    quality: Quality
    liveness: float
    detector_info: Any
    #: Link to the whole photo of the face, if the camera keeps snapshots. The box is on it.
    snapshot: str
    #: Link to a video (MP4) of the seconds around the photo, if the camera keeps clips.
    clip: str
    #: `set_aside`: searches, persons and measurements leave the face out. `confirmed`: the check of a gallery does not name it again. One of set_aside, confirmed.
    review: str
    #: True when the person of the face, or the person that it probably shows, is one to ignore.
    silent: bool
    #: In live events and alerts: true when an earlier event has the face. The picture is a better one, unless `added` is present.
    updated: bool
    #: In live events with `updated`: the snapshot or clip that is new. The picture is the same. One of snapshot, clip.
    added: str
    #: On request (`who`): the person of the face, and how alike the face and the other faces of the person are.
    who: Dict[str, Any]


class _FalseAlarmBound(TypedDict):
    #: The requested share of strangers with a match.
    fpir: float
    #: The least confidence of a match that keeps it.
    threshold: float
    #: Number of the searched faces.
    faces: int
    #: Number of people that are compared: persons, and with `target=faces` also those that faces have as `meta`, and each other face. The threshold rests on their number, and on how alike they are.
    people: int


class FalseAlarmBound(_FalseAlarmBound, total=False):
    #: The gallery has too few people to tell how alike they are, or is not measured yet: the threshold assumes people of one origin.
    guess: bool


class MetaEntry(TypedDict):
    meta: str
    count: int
    face: Face


class _GalleryStatistics(TypedDict):
    name: str
    #: Number of enrolled faces.
    faces: int


class GalleryStatistics(_GalleryStatistics, total=False):
    display_name: str
    retention_days: int
    #: Number of vectors in the vector store. Smaller than `faces` while vectors are missing. Absent while the store is unavailable.
    vectors: int
    #: Number of vectors in the index. The other vectors are compared one by one.
    indexed: int
    #: State of the index. Without one, every search compares all vectors. One of none, building, ready.
    index: str


class _Gallery(TypedDict):
    name: str


class Gallery(_Gallery, total=False):
    display_name: str
    retention_days: int


class _Finding(TypedDict):
    #: One of disagrees, divided, alike, poor, duplicate.
    kind: str
    #: The faces that can be set aside or confirmed.
    faces: List[Face]
    #: Persons of the finding: the person of the faces first, then the person that they look like.
    persons: List[FoundPerson]


class Finding(_Finding, total=False):
    #: That the face and the others of its person, the two persons, or the two faces show the same person. Absent for `poor`.
    confidence: float
    #: Of a `poor` face.
    quality: float


class _FoundPerson(TypedDict):
    #: Name of the person, or meta of the face.
    meta: str
    #: A face that shows the person.
    face: Face


class FoundPerson(_FoundPerson, total=False):
    person_id: Union[int, str]


class _PersonSummary(TypedDict):
    id: int
    meta: str
    #: Number of faces.
    count: int


class PersonSummary(_PersonSummary, total=False):
    #: True for a person to ignore: no alert rule tells of this person.
    silent: bool
    #: A face that represents the person. Absent for a person without faces.
    face: Face
    #: Id of this face, if a user chose it.
    portrait: int
    #: When the person was last seen. Absent for a person without faces.
    latest: LatestFace


class _LatestFace(TypedDict):
    face_id: int
    #: UTC with six decimals, without a zone.
    timestamp: str
    #: Whether the camera has seen this person on several recent days.
    friend: bool


class LatestFace(_LatestFace, total=False):
    cam_id: str


class PersonSuggestion(TypedDict):
    #: Confidence that both faces show the same person, with four decimals.
    confidence: float
    #: The person with the higher id first.
    persons: List[SuggestedPerson]


class _SuggestedPerson(TypedDict):
    id: int
    meta: str
    #: Number of faces.
    count: int
    #: The face that was compared.
    face: Face


class SuggestedPerson(_SuggestedPerson, total=False):
    #: True for a person to ignore: no alert rule tells of this person.
    silent: bool


class PersonGrouping(TypedDict):
    #: One of none, running, stopped, complete, undoing.
    state: str
    #: Faces without a person when the grouping began.
    faces: int
    #: Examined faces among these.
    examined: int
    #: Faces that got a person, by all groupings since the last undo.
    assigned: int
    #: Persons that were made, by all groupings since the last undo.
    persons: int


class PersonHistoryEntry(TypedDict):
    person_id: int
    face_id: int
    cam_id: str
    meta: str
    #: Signed link to the thumbnail. Empty if no picture is stored.
    screenshot: str
    timestamp: str


class _HistoryEvent(TypedDict):
    id: int
    friend: bool
    meta: str
    photo_hash: str
    photo: str
    cam_id: str
    timestamp: str
    x1: int
    y1: int
    x2: int
    y2: int


class HistoryEvent(_HistoryEvent, total=False):
    person_id: Union[int, str]
    #: The person that a face without a person probably shows, until a user answers: one stranger in 20 gets a candidate. `person_id` of PUT /face/id/ID says yes, `not_person` no.
    candidate: Dict[str, Any]
    silent: bool


class EvidenceKey(TypedDict):
    id: int
    #: Ed25519, PEM.
    public_key: str
    created: str
    #: False for a key that a later one has replaced.
    signs: bool


class CameraOptions(TypedDict, total=False):
    fps: float
    min_face: int
    min_quality: float
    absence: int
    longest: int
    early: bool
    liveness: float
    #: One of 0, 90, 180, 270, auto.
    rotate: Any
    snapshot: bool
    clip: bool
    masks: List[List[float]]


class _Camera(TypedDict):
    id: str
    enabled: bool


class Camera(_Camera, total=False):
    meta: str
    url: str
    url_refused: str
    detector: str
    rot: List[int]
    roi: List[int]
    retention_days: int
    options: CameraOptions
    recording: CameraRecording


CameraRecording = TypedDict("CameraRecording", {"start": str, "size": int, "read": float, "of": float, "visits": int, "from": int, "before": int, "end": str, "received": int})


class _CameraState(TypedDict):
    live: bool
    watcher: Union[str, None]
    since: Union[str, None]
    fps: Union[float, None]
    dropped: Union[int, None]
    frame_age: Union[float, None]
    last_error: Union[str, None]
    width: Union[int, None]
    height: Union[int, None]
    losses: Union[int, None]


class CameraState(_CameraState, total=False):
    furniture: List[List[float]]
    #: One of 0, 90, 180, 270.
    turn: float
    searched: float
    wanted: float
    behind: float
    unused: int
    #: One of small, turned, blurred, dark, bright, flat, grainy, unclear, cut.
    unused_reason: str
    reason: str


class _Alert(TypedDict):
    id: str
    #: The least confidence of a match in the gallery.
    threshold: float
    #: The time zone of `hours`, for example `Europe/Berlin`.
    time_zone: str
    #: Seconds without a further message about the same person.
    cooldown_seconds: int
    name: str
    enabled: bool
    #: The webhook: messages are posted to this URL. Empty: alerts are in live streams only.
    url: str
    created: str


class Alert(_Alert, total=False):
    cam_ids: List[str]
    person_ids: List[int]
    #: The rule does not alert to these persons, also when a face probably shows one of them.
    except_person_ids: List[int]
    #: The person of the face has a face in this gallery, or the face matches one there that is of no other person. With `unknown`: neither.
    gallery: str
    #: Instead of the threshold: the share of strangers that may match the gallery.
    fpir: float
    #: With `gallery`: no person of the gallery, not even probably. Else: the face is the first one of its person. A poor or covered face is never unknown.
    unknown: bool
    friend: bool
    #: The least measured quality of the face. A better picture of a visit may reach it.
    min_quality: float
    hours: List[Hours]
    #: Whether messages to phones and browsers carry the picture of the face: ntfy and Telegram get a file, others get a link that expires after a day.
    pictures: bool
    #: The service of `url`: its messages are a title, a sentence and a link. Absent: Standard Webhooks. One of ntfy, gotify, telegram.
    format: str
    #: Whether browsers that asked for them show its alerts as notifications.
    browsers: bool


class _Delivery(TypedDict):
    id: int
    #: The header `webhook-id` of all attempts.
    message_id: str
    #: One of face.seen, test.
    type: str
    #: One of pending, delivered, failed.
    state: str
    created: str
    attempts: int


class Delivery(_Delivery, total=False):
    event_id: int
    face_id: int
    #: The present person of the face: after a merge, the one that stayed.
    person_id: Union[int, str]
    #: While pending: not before this time.
    next_attempt: str
    ended: str
    #: Why the last attempt failed, or was not made.
    fault: str
    #: Id of the browser that shows it as a notification.
    subscription: str


class NamedAlert(TypedDict):
    id: str
    name: str


class _AlertHistoryEntry(TypedDict):
    id: int
    created: str
    alert: NamedAlert


class AlertHistoryEntry(_AlertHistoryEntry, total=False):
    event_id: int
    face: Face
    #: Name of the camera, in messages. Absent without a name.
    camera: str
    #: Absent for a face without a person.
    person: AlertPerson
    #: Who of the gallery of the rule it is.
    matches: List[Match]
    #: Absent until a person marks it as seen.
    seen: Dict[str, Any]


class _AlertPerson(TypedDict):
    id: Union[int, str]
    #: Number of the faces of this person that cameras have posted.
    seen: int


class AlertPerson(_AlertPerson, total=False):
    #: Absent when `id` is a text, which names no person of the service.
    meta: str
    #: Time of the earliest of them.
    first_seen: str


class _CurrentToken(TypedDict):
    id: str
    name: str
    #: One of read, enrol, camera, manage, admin.
    scope: str
    created: str
    valid: bool
    owner: str
    permissions: List[str]


class CurrentToken(_CurrentToken, total=False):
    rate: float
    last_used: str
    expires: str
    revoked: str
    #: Id of the user, for the session of a browser.
    user: str
    #: New faces get persons (`person_identify`).
    persons: bool


class _Token(TypedDict):
    id: str
    name: str
    #: One of read, enrol, camera, manage, admin.
    scope: str
    created: str
    valid: bool


class Token(_Token, total=False):
    rate: float
    last_used: str
    expires: str
    revoked: str


class _CreatedToken(TypedDict):
    id: str
    name: str
    #: One of read, enrol, camera, manage, admin.
    scope: str
    created: str
    valid: bool
    #: Text of the token. Only this response has it.
    token: str


class CreatedToken(_CreatedToken, total=False):
    rate: float
    last_used: str
    expires: str
    revoked: str


class _RotatedToken(TypedDict):
    id: str
    name: str
    #: One of read, enrol, camera, manage, admin.
    scope: str
    created: str
    valid: bool
    #: Text of the token. Only this response has it.
    token: str
    replaced: Token


class RotatedToken(_RotatedToken, total=False):
    rate: float
    last_used: str
    expires: str
    revoked: str


class _User(TypedDict):
    id: str
    name: str
    #: One of look, enrol, manage, administer.
    role: str
    created: str
    has_passkey: bool
    passkeys: List[Dict[str, Any]]
    sessions: List[Dict[str, Any]]


class User(_User, total=False):
    #: The user signs in at the OpenID provider, without a link.
    by_provider: bool
    invited_until: str


class _InvitedUser(TypedDict):
    id: str
    name: str
    #: One of look, enrol, manage, administer.
    role: str
    created: str
    has_passkey: bool
    passkeys: List[Dict[str, Any]]
    sessions: List[Dict[str, Any]]
    #: The invitation. It works once. Only this response has it.
    link: str


class InvitedUser(_InvitedUser, total=False):
    #: The user signs in at the OpenID provider, without a link.
    by_provider: bool
    invited_until: str


class _AuditEntry(TypedDict):
    #: Number in the log of the installation. The numbers of one owner have gaps.
    seq: int
    time: str
    #: `token` and an id, `user` with an id and a name, `operator` for a command, or `service`.
    actor: str
    action: str
    #: Ids, counts and fixed words.
    subject: Dict[str, Any]


class AuditEntry(_AuditEntry, total=False):
    #: What ids are called now, by their name in `subject`, and the token in `actor`. Not in the log.
    names: Dict[str, str]


class _AuditVerification(TypedDict):
    #: False when an entry was changed or is missing.
    intact: bool
    #: The first verified entry. Older ones were pruned. 0: no entry.
    verified_from: int
    #: The last verified entry.
    verified_to: int
    #: The newest entry. Greater than `verified_to` until all are verified.
    last: int
    #: Start of this verification.
    since: str


class AuditVerification(_AuditVerification, total=False):
    #: The first fault.
    fault: str


class Shards(TypedDict):
    live: int
    total: int
    #: By shard, in the order of the layout.
    available: List[bool]


class BackupTimes(TypedDict, total=False):
    #: The start of the service names the place of backups: they can be asked for, and repeated.
    has_place: bool
    #: The last request for a backup.
    requested: str
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
    #: The pack of models.
    pack: str
    #: The model of the vectors.
    embedder: str
    #: Start of the core that answers.
    started: str
    #: True while writes are refused because of a full disk.
    disk_full: bool
    shards: Shards
    #: Backups by `mien backup`. An absent time: never.
    backup: BackupTimes
    #: Estimated seconds from request to response since the start of the core, for requests of all owners.
    durations: List[Dict[str, Any]]


class ServiceState(_ServiceState, total=False):
    #: A later release, if `update_url` names where to ask.
    later_version: str
    calibration: Dict[str, Any]
    #: A watcher of cameras runs beside the core while `watch_cameras` is on. `false`: its machine lacks ffmpeg.
    has_watcher: bool


class _ServiceSettings(TypedDict):
    settings: List[Dict[str, Any]]


class ServiceSettings(_ServiceSettings, total=False):
    #: Why this API cannot change the settings: the service has several owners. One of owners.
    fixed_by: str


class AlertMessage(TypedDict):
    #: One of face.seen, test.
    type: str
    #: When this attempt was made: ISO 8601, UTC.
    timestamp: str
    data: AlertData


class _AlertData(TypedDict):
    alert: NamedAlert


class AlertData(_AlertData, total=False):
    event_id: int
    face: Face
    #: Name of the camera, in messages. Absent without a name.
    camera: str
    #: Absent for a face without a person.
    person: AlertPerson
    #: Who of the gallery of the rule it is.
    matches: List[Match]

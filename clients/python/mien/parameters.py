"""Types of parameters, by the names of the API. `npm run openapi` generates them from the OpenAPI document of v1."""

from __future__ import annotations

from typing import Any, Dict, List, Sequence, TypedDict, Union


class Region(TypedDict):
    x1: float
    y1: float
    x2: float
    y2: float


class DetectParameters(TypedDict, total=False):
    #: Boxes of the faces in pixels of the upright photo, each at least 50 x 50 pixels.
    bbox: Sequence[Region]
    #: Report the quality of each face.
    quality: bool
    #: Report the liveness of each face.
    liveness: bool
    #: Refuse the photo with `LIVENESS_FAILED` when a face has a lower liveness.
    min_liveness: float
    age: bool
    gender: bool
    emotions: bool


Threshold = Union[float, str]


class VerifyParameters(TypedDict, total=False):
    #: Boxes of the faces in pixels of the upright photo, each at least 50 x 50 pixels.
    bbox1: Sequence[Region]
    #: Boxes of the faces in pixels of the upright photo, each at least 50 x 50 pixels.
    bbox2: Sequence[Region]
    #: The least confidence of a match: a number or a name.
    threshold: Threshold
    #: Selects faces when the photo shows several. `biggest` is the face with the largest area inside the photo; `reject` refuses the photo. One of reject, biggest, all.
    mf_selector: str
    #: Report the liveness of each face.
    liveness: bool
    #: Refuse the photo with `LIVENESS_FAILED` when a face has a lower liveness.
    min_liveness: float


class IdentifyParameters(TypedDict, total=False):
    #: Boxes of the faces in pixels of the upright photo, each at least 50 x 50 pixels.
    bbox: Sequence[Region]
    #: The least confidence of a match: a number or a name. 0.75 without it, unless `fpir` is sent.
    threshold: Threshold
    #: Instead of `threshold`: the share of strangers that may have any match, whatever the size of the gallery.
    fpir: float
    #: What is searched. `persons`: one match for each person, scored by the mean of their good faces. One of faces, persons.
    target: str
    n: int
    #: The name of a gallery.
    gallery: str
    strict: bool
    #: Selects faces when the photo shows several. `biggest` is the face with the largest area inside the photo; `reject` refuses the photo. One of reject, biggest, all.
    mf_selector: str
    #: Report the liveness of each face.
    liveness: bool
    #: Refuse the photo with `LIVENESS_FAILED` when a face has a lower liveness.
    min_liveness: float


class EnrolParameters(TypedDict, total=False):
    meta: str
    person_id: Union[int, str]
    person: str
    #: Boxes of the faces in pixels of the upright photo, each at least 50 x 50 pixels.
    bbox: Sequence[Region]
    #: Selects faces when the photo shows several. `biggest` is the face with the largest area inside the photo; `reject` refuses the photo. One of reject, biggest, all.
    mf_selector: str
    #: Names of galleries.
    galleries: Sequence[str]
    #: The id of a camera, with or without hyphens.
    cam_id: str
    #: A time in ISO 8601. UTC if it has no time zone.
    timestamp: str
    #: Any JSON value, stored unchanged.
    detectorParams: Any
    #: Report the quality of each face.
    quality: bool
    #: Refuse the photo with `LOW_QUALITY` when a face has a lower `quality`.
    min_quality: float
    update: bool
    #: Report the liveness of each face.
    liveness: bool
    #: Refuse the photo with `LIVENESS_FAILED` when a face has a lower liveness.
    min_liveness: float
    age: bool
    gender: bool
    emotions: bool


class FaceOptions(TypedDict, total=False):
    who: bool


GalleryChanges = TypedDict("GalleryChanges", {"add": Sequence[str], "del": Sequence[str], "set": Sequence[str]}, total=False)


class FaceChange(TypedDict, total=False):
    meta: Union[str, None]
    person_id: Union[int, str]
    person: str
    not_person: int
    #: Adds the face to galleries, removes it from galleries, or replaces its galleries. Expects exactly one key.
    galleries: GalleryChanges
    #: One of set_aside, confirmed, none.
    review: str


class FacesFilter(TypedDict, total=False):
    max_id: int
    #: Faces with exactly this meta; empty for faces without a meta.
    meta: str
    person_id: int
    friend: bool
    #: Ids of cameras.
    cam_id: Sequence[str]
    #: A time in ISO 8601. UTC if it has no time zone.
    start: str
    #: A time in ISO 8601. UTC if it has no time zone.
    end: str
    #: Entries per request.
    page_size: int


class MetasFilter(TypedDict, total=False):
    max_id: int
    name: str
    #: Entries per request.
    page_size: int


class GalleryParameters(TypedDict, total=False):
    #: Days after enrolment when the service deletes faces automatically; 0 for never.
    retention_days: int
    #: A name for people, with spaces and any letters. Empty: none. `default` has none.
    display_name: str


class GalleryChange(TypedDict, total=False):
    #: Days after enrolment when the service deletes faces automatically; 0 for never.
    retention_days: int
    #: A name for people, with spaces and any letters. Empty: none. `default` has none.
    display_name: str


class PersonsFilter(TypedDict, total=False):
    name: str


class SummariesFilter(TypedDict, total=False):
    max_id: int
    meta: str
    name: str
    named: bool
    #: Entries per request.
    page_size: int


class SuggestionFilter(TypedDict, total=False):
    max_id: int
    #: The least confidence of a match: a number or a name. Default: the confidence of a probable match.
    threshold: Threshold
    strict: bool
    #: Entries per request.
    page_size: int


class SummaryOptions(TypedDict, total=False):
    merged: bool


class _PersonChange(TypedDict):
    meta: str


class PersonChange(_PersonChange, total=False):
    faces: bool
    silent: bool
    portrait: int


class SplitParameters(TypedDict, total=False):
    meta: str
    former_id: int


class PersonHistoryFilter(TypedDict, total=False):
    #: Ids of cameras.
    cam_ids: Sequence[str]
    #: A time in ISO 8601. UTC if it has no time zone.
    start: str
    #: A time in ISO 8601. UTC if it has no time zone.
    end: str


class HistoryFilter(TypedDict, total=False):
    #: Ids of cameras.
    cam_ids: Sequence[str]
    #: A time in ISO 8601. UTC if it has no time zone.
    start: str
    #: A time in ISO 8601. UTC if it has no time zone.
    end: str
    person_id: int
    friend: bool
    #: The name of a gallery.
    gallery: str
    max_id: int
    #: Entries per request.
    page_size: int


class EventFilter(TypedDict, total=False):
    #: Ids of cameras.
    cam_ids: Sequence[str]
    person_id: int
    #: The name of a gallery.
    gallery: str
    friend: bool


class EvidenceParameters(TypedDict, total=False):
    #: The event of this face alone.
    event_id: int
    #: Ids of cameras.
    cam_ids: Sequence[str]
    #: A time in ISO 8601. UTC if it has no time zone.
    start: str
    #: A time in ISO 8601. UTC if it has no time zone.
    end: str
    person_id: int
    friend: bool
    #: The name of a gallery.
    gallery: str
    #: The zone of the site, for example `Europe/Berlin`. Default: the zone of the service.
    time_zone: str


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
    masks: Sequence[Sequence[float]]


class CameraParameters(TypedDict, total=False):
    meta: str
    url: str
    #: `[width, height, x, y]` in pixels.
    rot: Sequence[int]
    #: `[width, height, x, y]` in pixels.
    roi: Sequence[int]
    #: Days after enrolment when the service deletes faces automatically; 0 for never.
    retention_days: int
    #: Options that override the options of the watcher. They replace all stored options; `{}` deletes them.
    options: CameraOptions
    detector: str
    enabled: bool


class CameraChange(TypedDict, total=False):
    meta: str
    url: str
    #: `[width, height, x, y]` in pixels.
    rot: Sequence[int]
    #: `[width, height, x, y]` in pixels.
    roi: Sequence[int]
    #: Days after enrolment when the service deletes faces automatically; 0 for never.
    retention_days: int
    #: Options that override the options of the watcher. They replace all stored options; `{}` deletes them.
    options: CameraOptions
    enabled: bool


class _CameraReport(TypedDict):
    #: A name that the watcher chooses for each run, for example a UUID.
    watcher: str


class CameraReport(_CameraReport, total=False):
    #: Frames a second that arrive.
    fps: float
    #: Frames that were not analysed because newer ones had arrived.
    dropped: int
    #: Seconds since the last frame.
    frame_age: float
    #: Why the stream ended last. One of no program, silent, stalled, behind, resized, bad picture, too large, access denied, not found, connection refused, unreachable, timeout, not allowed, no video, bad option, ended, refused.
    last_error: str
    #: Pixels of a frame.
    width: int
    height: int
    #: How often the stream has ended.
    losses: int
    #: Where faces have not moved for ten minutes: `[left, top, width, height]` in fractions of the picture.
    furniture: Sequence[Sequence[float]]
    #: Degrees clockwise by which most faces have to be turned to be upright.
    turn: int
    #: Frames a second that are searched for faces.
    searched: float
    #: Frames a second that the options ask for.
    wanted: float
    #: Greatest delay of a frame in the last minute, in seconds; 0 up to 2.
    behind: float
    #: How often people were seen and no picture could be used.
    unused: int
    #: The most frequent reason. One of small, turned, blurred, dark, bright, flat, grainy, unclear, cut.
    unused_reason: str
    reason: str
    #: How far the recording of the camera is read. The lease is then of the recording, and nothing else is reported. With `end`, the recording is deleted.
    recording: Dict[str, Any]
    #: Number of a frame, which rises. The `picture` is then for the viewers of the live view only, with at most 960 pixels on each side, and nothing is reported.
    live: int


class _RecordingPiece(TypedDict):
    #: A time in ISO 8601. UTC if it has no time zone.
    start: str
    size: int


class RecordingPiece(_RecordingPiece, total=False):
    at: int


class _RecordingOffset(TypedDict):
    #: A name that the watcher chooses for each run, for example a UUID.
    watcher: str


class RecordingOffset(_RecordingOffset, total=False):
    at: int


Hours = TypedDict("Hours", {"days": Sequence[str], "from": str, "to": str})


class AlertParameters(TypedDict, total=False):
    url: str
    #: One of ntfy, gotify, telegram.
    format: str
    browsers: bool
    pictures: bool
    name: str
    enabled: bool
    #: Ids of cameras.
    cam_ids: Sequence[str]
    #: Ids of persons.
    person_ids: Sequence[int]
    #: Ids of persons.
    except_person_ids: Sequence[int]
    #: The name of a gallery.
    gallery: str
    #: The least confidence of a match: a number or a name. 0.75 without it, unless `fpir` is sent.
    threshold: Threshold
    #: Instead of `threshold`: the share of strangers that may have any match, whatever the size of the gallery.
    fpir: float
    unknown: bool
    friend: bool
    min_quality: float
    #: Hours of days, in the time zone `time_zone`. `to` is not included. Hours with `to` before or at `from` end on the next day.
    hours: Sequence[Hours]
    time_zone: str
    cooldown_seconds: int


class DeliveryFilter(TypedDict, total=False):
    #: One of pending, delivered, failed.
    state: str
    max_id: int
    #: Entries per request.
    page_size: int


class AlertHistoryFilter(TypedDict, total=False):
    alert: str
    event_id: int
    #: Ids of cameras.
    cam_ids: Sequence[str]
    #: Alerts of rules about this gallery, and about faces in it.
    gallery: str
    seen: bool
    #: A time in ISO 8601. UTC if it has no time zone.
    start: str
    #: A time in ISO 8601. UTC if it has no time zone.
    end: str
    max_id: int
    #: Entries per request.
    page_size: int


class Subscription(TypedDict):
    endpoint: str
    p256dh: str
    auth: str


class _TokenParameters(TypedDict):
    #: What the token allows. One of read, enrol, camera, manage, admin.
    scope: str


class TokenParameters(_TokenParameters, total=False):
    name: str
    #: A time in ISO 8601. UTC if it has no time zone.
    expires: str
    #: Requests per second. Default: the rate of the service.
    rate: float


class RotationParameters(TypedDict, total=False):
    #: Hours for which the old token stays valid.
    grace_hours: float


class _Invitation(TypedDict):
    name: str
    #: What the user may do. A known user keeps the role. One of look, enrol, manage, administer.
    role: str


class Invitation(_Invitation, total=False):
    #: A user with this name gets another link. Passkeys stay without `lost`.
    again: bool
    #: With `again`: the device of the user is lost. All passkeys are removed. All sessions of the user end, except the session of the request: each may be on a lost device.
    lost: bool
    #: End of the link, within the next 30 days.
    expires: str


class AuditLogFilter(TypedDict, total=False):
    #: Who did it: `user ID`, `token ID`, `operator` or `service`.
    actor: str
    action: str
    #: What it was done to, for example `person 7`: also entries that name it in a list, such as merges.
    object: str
    #: A time in ISO 8601. UTC if it has no time zone.
    start: str
    #: A time in ISO 8601. UTC if it has no time zone.
    end: str
    max_seq: int
    #: Entries per request.
    page_size: int


class SettingsChange(TypedDict, total=False):
    #: New faces get persons.
    person_identify: bool
    #: Faces are compared with the faces of all cameras. Otherwise only with faces of the same camera.
    person_identify_global: bool
    #: The least confidence with which a face joins a person; below it, the face gets a new person. `off`: a face joins a certain person, and has a probable one as `candidate`.
    person_identify_threshold: Union[float, str]
    #: The audit log records searches, comparisons, lists of faces and views of persons.
    record_searches: bool
    #: Hours between two backups at the place that the start of the service names. 0: only on request.
    backup_hours: int
    #: A watcher beside the service reads the cameras of its first owner. `mien start` runs it.
    watch_cameras: bool
    #: Settings that get their initial value again.
    reset: Sequence[str]

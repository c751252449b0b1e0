"""Types of parameters, by the names of the API. A missing key has the default of the API."""

from __future__ import annotations

from typing import Any, Sequence, TypedDict, Union

#: A least confidence from 0 to 1, or the name of a threshold: strict, medium, low, none.
Threshold = Union[float, str]


class Region(TypedDict):
    """A box in pixels of the upright photo."""

    x1: float
    y1: float
    x2: float
    y2: float


class LivenessParameters(TypedDict, total=False):
    liveness: bool
    #: From 0 to 1. Faces below it are refused with LIVENESS_FAILED.
    min_liveness: float


class AttributeParameters(TypedDict, total=False):
    age: bool
    gender: bool
    emotions: bool


class DetectParameters(LivenessParameters, AttributeParameters, total=False):
    bbox: Sequence[Region]
    quality: bool


class VerifyParameters(LivenessParameters, total=False):
    bbox1: Sequence[Region]
    bbox2: Sequence[Region]
    threshold: Threshold
    #: reject, biggest or all: which faces of a photo with several.
    mf_selector: str


class IdentifyParameters(LivenessParameters, total=False):
    bbox: Sequence[Region]
    threshold: Threshold
    #: Most matches of a face.
    n: int
    strict: bool
    mf_selector: str


class EnrolParameters(LivenessParameters, AttributeParameters, total=False):
    meta: str
    bbox: Sequence[Region]
    mf_selector: str
    galleries: Sequence[str]
    cam_id: str
    #: ISO 8601.
    timestamp: str
    #: Any JSON.
    detectorParams: Any
    quality: bool
    #: From 0 to 1. Faces below it are refused with LOW_QUALITY.
    min_quality: float


#: One of the keys, with names of galleries that are added, removed, or replace the present ones.
GalleryChanges = TypedDict(
    "GalleryChanges", {"add": Sequence[str], "del": Sequence[str], "set": Sequence[str]}, total=False
)


class FaceChange(TypedDict, total=False):
    """Missing keys stay unchanged."""

    meta: Union[str, None]
    person_id: Union[int, str]
    galleries: GalleryChanges


class CameraOptions(TypedDict, total=False):
    """A missing key is the option of the watcher."""

    #: Frames a second.
    fps: float
    #: Pixels.
    min_face: int
    min_quality: float
    #: Seconds.
    absence: int
    longest: int
    early: bool
    #: From 0 to 1.
    liveness: float


class CameraChange(TypedDict, total=False):
    """A missing ``rot`` or ``roi`` deletes this region. Other missing keys stay unchanged."""

    meta: str
    url: str
    rot: Sequence[int]
    roi: Sequence[int]
    enabled: bool
    retention_days: int
    #: Replace all stored options.
    options: CameraOptions


class CameraParameters(CameraChange, total=False):
    detector: str


class _CameraReport(TypedDict):
    #: A name that the watcher chooses for each run.
    watcher: str


class CameraReport(_CameraReport, total=False):
    """A missing key is unknown."""

    #: Frames a second.
    fps: float
    dropped: int
    #: Seconds.
    frame_age: float
    last_error: str
    width: int
    height: int
    losses: int


#: Hours of days: days like mon, and times like 18:00.
Hours = TypedDict("Hours", {"days": Sequence[str], "from": str, "to": str})


class AlertParameters(TypedDict, total=False):
    """A missing condition is none. Without ``url``, alerts are in live streams only."""

    url: str
    name: str
    enabled: bool
    cam_ids: Sequence[str]
    person_ids: Sequence[int]
    gallery: str
    threshold: Threshold
    unknown: bool
    friend: bool
    hours: Sequence[Hours]
    time_zone: str
    cooldown_seconds: int


class DeliveryFilter(TypedDict, total=False):
    #: pending, delivered or failed.
    state: str
    max_id: int
    #: Deliveries per request, 1 to 1000.
    limit: int


class FacesFilter(TypedDict, total=False):
    """All given conditions must hold."""

    #: Exactly this meta; empty for faces without a meta.
    meta: str
    person_id: int
    friend: bool
    cam_id: Sequence[str]
    #: ISO 8601, inclusive.
    start: str
    end: str


class EventFilter(TypedDict, total=False):
    cam_ids: Sequence[str]
    person_id: int
    gallery: str
    friend: bool


class PersonHistoryFilter(TypedDict, total=False):
    cam_ids: Sequence[str]
    #: ISO 8601, inclusive.
    start: str
    end: str


class HistoryFilter(PersonHistoryFilter, total=False):
    person_id: int
    gallery: str
    friend: bool


class SuggestionFilter(TypedDict, total=False):
    threshold: Threshold
    strict: bool
    #: Persons per request, 1 to 50.
    limit: int
    max_id: int


class _TokenParameters(TypedDict):
    #: read, enrol, camera or admin.
    scope: str


class TokenParameters(_TokenParameters, total=False):
    #: What the token is for.
    name: str
    #: ISO 8601. Missing: the token never expires.
    expires: str
    #: Requests per second. Missing: the default of the service.
    rate: float

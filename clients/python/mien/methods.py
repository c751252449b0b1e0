"""Methods of the client. `npm run openapi` generates them from the declarations of the operations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator, List, Optional, Sequence

from .answers import Alert, AlertHistoryEntry, AlertMark, AuditEntry, AuditVerification, Camera, CameraLease, CameraRecording, CameraState, CreatedToken, CurrentToken, Delivery, DetectAnswer, EvidenceKey, Face, Finding, Gallery, GalleryStatistics, HistoryEvent, IdentifyAnswer, InvitedUser, MetaEntry, NewAlert, NewSecret, NewSubscription, Notifications, Person, PersonGrouping, PersonHistoryEntry, PersonSuggestion, PersonSummary, RotatedToken, ServiceSettings, ServiceState, Token, User
from .connection import Resource
from .fields import Photo, segment
from .parameters import AlertHistoryFilter, AlertParameters, AuditLogFilter, CameraChange, CameraParameters, CameraReport, DeliveryFilter, DetectParameters, EvidenceParameters, FaceChange, FaceOptions, FacesFilter, GalleryChange, GalleryParameters, HistoryFilter, IdentifyParameters, Invitation, MetasFilter, PersonChange, PersonHistoryFilter, PersonsFilter, RecordingOffset, RecordingPiece, RotationParameters, SettingsChange, SplitParameters, Subscription, SuggestionFilter, SummariesFilter, SummaryOptions, TokenParameters

if TYPE_CHECKING:
    from typing_extensions import Unpack


class PhotoMethods(Resource):
    def detect(self, photo: Photo, **parameters: Unpack[DetectParameters]) -> DetectAnswer:
        """Detect the faces on a photo. Boxes are in pixels of the upright photo. A photo without a face gives an empty list. With `bbox`, or with all of x1, y1, x2 and y2, the operation skips detection and returns these boxes in their order with the requested details."""
        return self._connection.send("POST", "/detect", body={**parameters}, photos={"photo": photo}, repeatable=True)

    def identify(self, photo: Photo, **parameters: Unpack[IdentifyParameters]) -> IdentifyAnswer:
        """Search for the faces of a photo among enrolled faces. A face without a match has an empty list. `n` is the maximum number of matches per face; 0 stands for 1000. All faces of a photo together have at most 10000 matches. Boxes override `mf_selector`. `bbox` contains boxes; x1, y1, x2 and y2 are one box. Different values in both are refused. `fpir` and `threshold` are alternatives. With `target=persons` and neither of them, `fpir` is 0.01."""
        return self._connection.send("POST", "/identify", body={**parameters}, photos={"photo": photo}, repeatable=True)


class Faces(Resource):
    def get(self, id: int, **parameters: Unpack[FaceOptions]) -> Face:
        """Get a face."""
        return self._connection.send("GET", f"/face/id/{segment(id)}", query={**parameters})

    def update(self, id: int, **parameters: Unpack[FaceChange]) -> Face:
        """Change the meta, the person, the galleries or the review of a face. Absent fields stay unchanged. `person` is the name of the person; an unknown name creates a person. `person_id` is the number of the person; an unknown number creates a person. Other text in `person_id` is stored unchanged and refers to no person. If the meta is empty or the name of the previous person, it becomes the name of the new person. `not_person` is the id of a person that the face does not show: the face leaves this person and loses the name, and neither it nor similar new faces get this person again. A new `person` or `person_id` denies the previous person in the same way. `galleries` has one key: `add`, `del` or `set`; `default` contains every face. `review=set_aside` excludes the face from searches, persons and measurements; `confirmed` states that a finding of the check of a gallery is wrong. `none` removes both marks."""
        return self._connection.send("PUT", f"/face/id/{segment(id)}", body={**parameters})

    def delete(self, id: int) -> None:
        """Delete a face with its vector and its pictures."""
        self._connection.send("DELETE", f"/face/id/{segment(id)}")

    def list(self, *, gallery: Optional[str] = None, **parameters: Unpack[FacesFilter]) -> Iterator[Face]:
        """List all faces, newest first, in pages. All given filters must hold. `start` and `end` are inclusive, and refer to the `timestamp` of a face. `friend` is the field of a face. Links to other pages keep the filters. With `gallery`, of this gallery only."""
        return self._entries("/faces" if gallery is None else f"/faces/gallery/{segment(gallery)}", {**parameters})

    def delete_with_meta(self, meta: str, *, gallery: Optional[str] = None) -> None:
        """Delete all faces with a meta. The faces are deleted from every gallery. The meta must match exactly. In the path it is URL-encoded, with %20 for a space. On paths without a meta, it is the parameter `meta`. With `gallery`, of this gallery only."""
        self._connection.send("DELETE", "/face/meta" if gallery is None else f"/face/gallery/{segment(gallery)}/meta", query={"meta": meta})


class Metas(Resource):
    def list(self, *, gallery: Optional[str] = None, **parameters: Unpack[MetasFilter]) -> Iterator[MetaEntry]:
        """List all metas, in pages. Each entry contains a meta, the number of its faces, and the first of these faces. Entries are in descending order of the ids of their first faces; `max_id` and `min_id` refer to these ids. `name` is one or more words, at most 16. It selects the metas that contain all of them, in any order, also inside a longer word: the first 1000 in alphabetical order. Case and accents do not count. Faces without a meta are not counted. With `gallery`, of this gallery only."""
        return self._entries("/meta" if gallery is None else f"/meta/gallery/{segment(gallery)}", {**parameters})


class Galleries(Resource):
    def list(self) -> List[str]:
        """List the names of all galleries."""
        return self._connection.send("GET", "/galleries")["results"]

    def statistics(self) -> List[GalleryStatistics]:
        """List all galleries with the numbers of their faces and the states of their indexes. `vectors`, `indexed` and `index` are absent while the vector store is unavailable. The counts are of one moment; an enrolment in progress can be in some of them."""
        return self._connection.send("GET", "/statistics/galleries")["results"]

    def create(self, gallery: str, **parameters: Unpack[GalleryParameters]) -> Gallery:
        """Create a gallery. Not repeated after a lost answer: it may be done."""
        return self._connection.send("POST", f"/galleries/{segment(gallery)}", body={**parameters})

    def get(self, gallery: str) -> Gallery:
        """Get a gallery."""
        return self._connection.send("GET", f"/galleries/{segment(gallery)}")

    def check(self, gallery: str) -> Iterator[Finding]:
        """Find mistakes among the faces of a gallery, in pages. Finds faces that are not like the others of their person (`disagrees`), persons that look like two (`divided`), two persons that look like one (`alike`), poor faces (`poor`), and pictures that are enrolled twice (`duplicate`). The person of a face is its `person_id`, else its meta. A page checks `limit` faces by rising ids, and each person with the first of their faces, so it can be empty and have a next page. Set a face aside or confirm it with `review` of `PUT /face/id/:id`. Findings whose faces are all confirmed are left out."""
        return self._entries(f"/galleries/{segment(gallery)}/check", {})

    def update(self, gallery: str, **parameters: Unpack[GalleryChange]) -> Gallery:
        """Change the retention or the display name of a gallery. The service deletes an older face from every gallery. The retention of `default` applies to faces without another gallery and without a camera."""
        return self._connection.send("PUT", f"/galleries/{segment(gallery)}", body={**parameters})

    def delete(self, gallery: str) -> None:
        """Delete a gallery and the faces in it. The faces are deleted from every gallery. The gallery `default` itself remains."""
        self._connection.send("DELETE", f"/galleries/{segment(gallery)}")


class Persons(Resource):
    def list(self, **parameters: Unpack[PersonsFilter]) -> List[Person]:
        """List all persons. `name` is one or more words, at most 16. It selects the persons whose names contain all of them, in any order, also inside a longer word. Case and accents do not count. A person without a name is not selected."""
        return self._connection.send("GET", "/persons", query={**parameters})["results"]

    def summaries(self, **parameters: Unpack[SummariesFilter]) -> Iterator[PersonSummary]:
        """List persons with a face and the number of their faces, in pages. Persons are in descending order of their ids. `meta` selects the persons with exactly this meta, `named=false` the persons without a name. `name` is one or more words, at most 16. It selects the persons whose names contain all of them, in any order, also inside a longer word. Case and accents do not count. A person without a name is not selected. `face` is the chosen `portrait`, or the best of the 100 newest faces of the person: the face with the best quality, or the largest one where no quality is stored. `latest` is the latest of these faces by its time."""
        return self._entries("/persons/summaries", {**parameters})

    def suggestions(self, **parameters: Unpack[SuggestionFilter]) -> Iterator[PersonSuggestion]:
        """Suggest pairs of persons that may be the same. Compares the `face` of each person of a page with the faces of persons with lower ids. A page has `limit` persons in descending order of their ids, and at most 5 pairs for each of them, so it can be empty and have a next page. Two persons on one photo are no pair. The gallery `default` is searched. `strict` and the header `X-Live-Servers` have the same meaning as in identify."""
        return self._entries("/persons/suggestions", {**parameters})

    def get(self, id: int) -> Person:
        """Get a person."""
        return self._connection.send("GET", f"/person/id/{segment(id)}")

    def summary(self, id: int, **parameters: Unpack[SummaryOptions]) -> PersonSummary:
        """Get a person with a face and the number of their faces. `face` is the chosen `portrait`, or the best of the 100 newest faces of the person: the face with the best quality, or the largest one where no quality is stored. `latest` is the latest of these faces by its time. `merged` follows a merged person to the kept one."""
        return self._connection.send("GET", f"/person/id/{segment(id)}/summary", query={**parameters})

    def update(self, id: int, **parameters: Unpack[PersonChange]) -> Person:
        """Change the meta of a person. The new meta is also set for faces of the person without a meta or with the previous name, and with `faces` for all faces of the person. `silent` marks a person to ignore: no alert rule alerts to the person, and up to 8 of its embeddings outlive their retention; this needs the scope of `manage`. `portrait` is the id of the face that represents the person. Without them, both stay as they are."""
        return self._connection.send("PUT", f"/person/id/{segment(id)}", body={**parameters})

    def merge(self, id: int, person_ids: Sequence[int]) -> PersonSummary:
        """Merge other persons into a person. All faces of the persons `person_ids` move to the person of the path, with their history. The other persons are deleted, and their ids are not used again. The person of the path keeps its name, portrait and `silent`. Without a name, it gets the only name of the others, and without a portrait one of their portraits. Moved faces without a meta, or with the name of their previous person, get its name. A request with an unknown person is refused without any change. Not repeated after a lost answer: it may be done."""
        return self._connection.send("POST", f"/person/id/{segment(id)}/merge", body={"person_ids": list(person_ids)})

    def split(self, id: int, face_ids: Sequence[int], **parameters: Unpack[SplitParameters]) -> PersonSummary:
        """Move faces of a person to a new person. Answers the new person, whose meta is `meta` or `autogenerated`. All `face_ids` must be faces of the person, and the person must keep at least one face. Otherwise nothing changes. Moved faces without a meta, or with the name of the previous person, get the name of the new person. `former_id` undoes a merge: the new person gets this id of a person that was merged into the old one, if no other person has it. Not repeated after a lost answer: it may be done."""
        return self._connection.send("POST", f"/person/id/{segment(id)}/split", body={"face_ids": list(face_ids), **parameters})

    def delete(self, id: int) -> None:
        """Delete a person and all faces of this person. Alert rules about this person alone are deleted, too. Rules about several persons remain for the others."""
        self._connection.send("DELETE", f"/person/id/{segment(id)}")

    def grouping(self) -> PersonGrouping:
        """Get the progress of the grouping of stored faces to persons."""
        return self._connection.send("GET", "/persons/grouping")

    def group(self, action: str = "start") -> PersonGrouping:
        """Group the stored faces without a person to persons, in the background. Each face gets a person or a `candidate` as in an enrolment with `person_identify`, in the order of the ids. A face without a meta gets the name of its person. Then automatic persons join persons without a name that are certainly the same, unless a user decided anything about them. `start` also continues a stopped grouping, and `stop` keeps the result so far. `undo` removes the persons that groupings assigned to faces, restores joined persons, and deletes persons that groupings made and that have no other faces. Persons that a user renamed, merged, split or corrected since keep their faces. Not repeated after a lost answer: it may be done."""
        return self._connection.send("POST", "/persons/grouping", body={"action": action})

    def history(self, id: int, **parameters: Unpack[PersonHistoryFilter]) -> List[PersonHistoryEntry]:
        """List the camera events of a person, newest first. The query string or a body may contain the parameters."""
        return self._connection.send("GET", f"/person/history/id/{segment(id)}", query={**parameters})["results"]


class History(Resource):
    def search(self, **parameters: Unpack[HistoryFilter]) -> Iterator[HistoryEvent]:
        """List the events of cameras, newest first. An event is a face that was posted with a `cam_id`. Without a `limit`, or with 0, the response contains all events. `next_page` is absent on the last page. It supports GET and POST."""
        return self._entries("/history/search", {"page_size": 100, **parameters})

    def evidence(self, **parameters: Unpack[EvidenceParameters]) -> bytes:
        """Export events as evidence. A ZIP file with the pictures, snapshots and clips of the events, `events.csv` with their times in the zone and in UTC, `manifest.json` with the SHA-256 of each file, `manifest.sig`, its Ed25519 signature, and `public-key.pem`. The audit log records the export. More than 500 events are `BAD_PARAM`. Files above 1024 MB in all, and files that were deleted, are `omitted` in the manifest. An owner may have 2 exports at once at each core. Not repeated after a lost answer: it may be done."""
        return self._connection.send("POST", "/evidence", body={**parameters})


class Service(Resource):
    def evidence_keys(self) -> List[EvidenceKey]:
        """List the public keys of evidence, newest first. The newest key signs. Keep a copy of it elsewhere: evidence is verified with it."""
        return self._connection.send("GET", "/evidence/keys")["results"]

    def renew_evidence_key(self) -> EvidenceKey:
        """Make a new key that signs evidence. The key belongs to the service. FORBIDDEN for one of several owners. Evidence that an earlier key has signed stays valid. Not repeated after a lost answer: it may be done."""
        return self._connection.send("POST", "/evidence/keys")

    def audit_log(self, **parameters: Unpack[AuditLogFilter]) -> Iterator[AuditEntry]:
        """List the changes of the data of the owner, newest first. Entries have a `seq` below `max_seq`. `next_page` is null on the last page."""
        return self._entries("/audit-log", {**parameters})

    def verify_audit_log(self) -> AuditVerification:
        """Verify the chain of the audit log. The chain covers the entries of all owners: each entry has a hash over itself and the entry before. A request verifies 10000 further entries. Repeat it until `verified_to` equals `last`. A complete verification begins again after 10 minutes."""
        return self._connection.send("GET", "/audit-log/verification")

    def get(self) -> ServiceState:
        """Get the state of the service. Version, models, calibration, shards, backups, drills and response times, as the core sees them that answers."""
        return self._connection.send("GET", "/service")

    def request_backup(self) -> None:
        """Ask for a backup now. The backup begins within seconds. The state of the service tells when it is complete. NOT_FOUND when the start of the service names no place for backups, FORBIDDEN for one of several owners. Not repeated after a lost answer: it may be done."""
        self._connection.send("POST", "/backups")

    def settings(self) -> ServiceSettings:
        """List the settings that can be changed while the service runs."""
        return self._connection.send("GET", "/settings")

    def change_settings(self, **parameters: Unpack[SettingsChange]) -> ServiceSettings:
        """Change settings of the service. A change is stored, reaches all cores within seconds, and wins over facenapi.ini and the environment until it is reset. FORBIDDEN for one of several owners."""
        return self._connection.send("PUT", "/settings", body={**parameters})


class Cameras(Resource):
    def create(self, **parameters: Unpack[CameraParameters]) -> Camera:
        """Create a camera. Not repeated after a lost answer: it may be done."""
        return self._connection.send("POST", "/camera", body={**parameters})

    def list(self) -> List[Camera]:
        """List all cameras, oldest first. The response body is a JSON array. Credentials in `url` are `***`, except for tokens of the scopes `admin` and `camera`."""
        return self._connection.send("GET", "/camera")

    def get(self, id: str) -> Camera:
        """Get a camera. Credentials in `url` are `***`, except for tokens of the scopes `admin` and `camera`."""
        return self._connection.send("GET", f"/camera/{segment(id)}")

    def update(self, id: str, **parameters: Unpack[CameraChange]) -> Camera:
        """Change a camera. An absent or empty `rot` or `roi` deletes this region, and an empty `meta` or `url` this text. Other absent fields stay unchanged. A `url` with masked credentials keeps the stored ones if its scheme, host and port are the stored ones."""
        return self._connection.send("PUT", f"/camera/{segment(id)}", body={**parameters})

    def delete(self, id: str) -> None:
        """Delete a camera. The faces and the history events of the camera remain."""
        self._connection.send("DELETE", f"/camera/{segment(id)}")

    def lease(self, id: str, picture: Optional[Photo] = None, **parameters: Unpack[CameraReport]) -> CameraLease:
        """Take a camera as its watcher, or report its state. The lease lasts 15 seconds from the last report. Until then, other watchers get `CAMERA_TAKEN` with `Retry-After`. Send a `picture` while the last answer had `picture_wanted`. A report without a picture deletes the previous one. Absent fields are unknown."""
        return self._connection.send("PUT", f"/camera/{segment(id)}/lease", body={**parameters}, photos={"picture": picture})

    def release(self, id: str, watcher: str) -> None:
        """Give a camera back as its watcher. Other watchers may take it at once. Nothing changes when another watcher holds the camera."""
        self._connection.send("DELETE", f"/camera/{segment(id)}/lease", body={"watcher": watcher})

    def put_recording(self, id: str, piece: Photo, **parameters: Unpack[RecordingPiece]) -> CameraRecording:
        """Upload a piece of a recording, for the watcher to read once. Send the file in pieces of 4194304 bytes, in sequence. After an interruption, the first piece is answered with how many bytes have been `received`: go on there. `NOT_FOUND` also means that no watcher is connected, or that the recording was cancelled. `CAMERA_TAKEN`: the camera has another recording, or the owner has 4. The service deletes the file when it is read, and 24 hours after the last piece."""
        return self._connection.send("PUT", f"/camera/{segment(id)}/recording", body={**parameters}, photos={"piece": piece})

    def get_recording(self, id: str, **parameters: Unpack[RecordingOffset]) -> bytes:
        """Get a piece of a recording, as the watcher that has its lease."""
        return self._connection.send("GET", f"/camera/{segment(id)}/recording", query={**parameters})

    def delete_recording(self, id: str) -> None:
        """Cancel the recording of a camera. Events that it has made remain."""
        self._connection.send("DELETE", f"/camera/{segment(id)}/recording")

    def state(self, id: str) -> CameraState:
        """Get the state of a camera. `live`: a watcher holds the camera, and frames arrive. The other fields are from the last report of the watcher, and null for a camera that no watcher has taken or that was given back."""
        return self._connection.send("GET", f"/camera/{segment(id)}/state")

    def picture(self, id: str) -> bytes:
        """Get the last frame of a camera. A JPEG image, with boxes around the faces. Watchers send pictures only after a request, for 30 seconds: the first request gets `NOT_FOUND` with `Retry-After`. Then there is a new picture every 2 seconds. `NOT_FOUND` without `Retry-After`: no watcher watches the camera."""
        return self._connection.send("GET", f"/camera/{segment(id)}/picture")


class Alerts(Resource):
    def create(self, **parameters: Unpack[AlertParameters]) -> NewAlert:
        """Create an alert rule. The rule posts a message to `url` for each face of a camera that meets all its conditions, from now on. Without `url`, its alerts are only in the live events (`GET /events?alerts=true`), which have the alerts of all rules. Messages are signed by the Standard Webhooks specification with `secret`, which no other answer shows. A message arrives at least once; repeats have the same `webhook-id`. Failed attempts are repeated for 24 hours. The service connects to public addresses only. Not repeated after a lost answer: it may be done."""
        return self._connection.send("POST", "/alerts", body={**parameters})

    def list(self) -> List[Alert]:
        """List all alert rules, oldest first."""
        return self._connection.send("GET", "/alerts")["results"]

    def get(self, id: str) -> Alert:
        """Get an alert rule."""
        return self._connection.send("GET", f"/alert/id/{segment(id)}")

    def update(self, id: str, **parameters: Unpack[AlertParameters]) -> NewAlert:
        """Replace the settings of an alert rule. Replaces all settings: an absent condition is removed. A rule that becomes enabled begins with the faces from now on. The secret stays; a rule that gets its first `url` has a new `secret` in the answer. Pending messages wait while the rule is not enabled, and fail if it has no `url`."""
        return self._connection.send("PUT", f"/alert/id/{segment(id)}", body={**parameters})

    def delete(self, id: str) -> None:
        """Delete an alert rule with its deliveries."""
        self._connection.send("DELETE", f"/alert/id/{segment(id)}")

    def rotate_secret(self, id: str) -> NewSecret:
        """Replace the secret of an alert rule. For 24 hours, messages carry signatures of the new secret and of the previous one. At most 3 secrets sign: more rotations within this time end the oldest. Not repeated after a lost answer: it may be done."""
        return self._connection.send("POST", f"/alert/id/{segment(id)}/secret")

    def test(self, id: str) -> Delivery:
        """Send a test message. The message has the type `test` and no face. It is delivered as any other. Not repeated after a lost answer: it may be done."""
        return self._connection.send("POST", f"/alert/id/{segment(id)}/test")

    def deliveries(self, id: str, **parameters: Unpack[DeliveryFilter]) -> Iterator[Delivery]:
        """List the deliveries of an alert rule, newest first. Deliveries that have ended are listed for 7 days. Deliveries of a deleted face are deleted."""
        return self._entries(f"/alert/id/{segment(id)}/deliveries", {**parameters})

    def retry(self, id: str, delivery: int) -> Delivery:
        """Send a delivery again. It keeps its `webhook-id`, and is attempted for 24 hours again. BAD_PARAM for a delivery that was accepted. Not repeated after a lost answer: it may be done."""
        return self._connection.send("POST", f"/alert/id/{segment(id)}/deliveries/{segment(delivery)}/retry")

    def history(self, **parameters: Unpack[AlertHistoryFilter]) -> Iterator[AlertHistoryEntry]:
        """List the alerts of all rules, newest first. Alerts are kept for 7 days, and go with their faces. Tests are not listed."""
        return self._entries("/alerts/history", {**parameters})

    def mark_seen(self, id: int, seen: bool = True, earlier: bool = False) -> AlertMark:
        """Mark an alert as seen, or take the mark back. The mark has the name of the user or of the token. The first mark stays."""
        return self._connection.send("PUT", f"/alerts/history/{segment(id)}", body={"seen": seen, "earlier": earlier})

    def notifications(self) -> Notifications:
        """List the browsers of the user or token that show notifications. A browser subscribes with `public_key`, the key of the service by RFC 8292."""
        return self._connection.send("GET", "/notifications")

    def subscribe(self, **parameters: Unpack[Subscription]) -> NewSubscription:
        """Send notifications to a browser. The parameters are the fields of a `PushSubscription`. The browser shows the alerts of rules with `browsers`, until the user is removed or the token ends, the session is ended, or the push service forgets the browser. The push service learns when there are messages, and cannot read them. A user or token has at most 20 browsers. Not repeated after a lost answer: it may be done."""
        return self._connection.send("POST", "/notifications", body={**parameters})

    def unsubscribe(self, id: str) -> None:
        """Stop notifications to a browser."""
        self._connection.send("DELETE", f"/notifications/{segment(id)}")


class Tokens(Resource):
    def current(self) -> CurrentToken:
        """Get the token of the request. `permissions` is what its scope allows. The text of the token is not in the response."""
        return self._connection.send("GET", "/token")

    def list(self) -> List[Token]:
        """List the tokens of the owner. Valid tokens come first, then those that have ended, newest first. The list has at most 1000 tokens."""
        return self._connection.send("GET", "/tokens")["results"]

    def create(self, **parameters: Unpack[TokenParameters]) -> CreatedToken:
        """Create a token of the owner. The service does not store the text of a token: only this response has it. An owner has at most 1000 valid tokens. Not repeated after a lost answer: it may be done."""
        return self._connection.send("POST", "/tokens", body={**parameters})

    def rotate(self, id: str, **parameters: Unpack[RotationParameters]) -> RotatedToken:
        """Replace a token. The new token has the name, scope, rate and lifetime of the old one. The old one stays valid for `grace_hours`. The service does not store the text of a token: only this response has it. Not repeated after a lost answer: it may be done."""
        return self._connection.send("POST", f"/tokens/{segment(id)}/rotate", body={**parameters})

    def revoke(self, id: str) -> None:
        """Revoke a token. An edge beside its core refuses the token at once, any other within 20 seconds. The token of the request cannot revoke itself."""
        self._connection.send("DELETE", f"/tokens/{segment(id)}")


class Users(Resource):
    def list(self) -> List[User]:
        """List the users of the owner. People with access through the console, by name, with their passkeys, newest first. Sessions that have ended are left out."""
        return self._connection.send("GET", "/users")["results"]

    def invite(self, **parameters: Unpack[Invitation]) -> InvitedUser:
        """Invite a user. The link works once. The colleague opens it, makes a passkey, and signs in with the passkey from then on. It ends after 3 days without `expires`. Roles are scopes of tokens: `look` is `read`, `administer` is `admin`. Not repeated after a lost answer: it may be done."""
        return self._connection.send("POST", "/users", body={**parameters})

    def delete(self, id: str) -> None:
        """Delete a user with all passkeys and sessions. The audit log keeps the name. A user cannot delete themselves."""
        self._connection.send("DELETE", f"/users/{segment(id)}")

    def delete_passkey(self, id: str) -> None:
        """Remove a passkey of a user. All sessions of the user end, except the session of the request: each may be on a lost device."""
        self._connection.send("DELETE", f"/passkeys/{segment(id)}")

    def end_session(self, id: str) -> None:
        """End a session of a user. An edge beside its core refuses it at once, any other within 20 seconds."""
        self._connection.send("DELETE", f"/sessions/{segment(id)}")

/** Methods of the client. `npm run openapi` generates them from the declarations of the operations. */
import { type Photo, segment } from './fields.ts'
import { type Pages, Resource } from './pages.ts'
import type { CallOptions } from './send.ts'
import type { Alert, AlertHistoryEntry, AlertHistoryFilter, AlertMark, AlertParameters, AuditEntry, AuditLogFilter, AuditVerification, Camera, CameraChange, CameraLease, CameraParameters, CameraRecording, CameraReport, CameraState, CreatedToken, CurrentToken, Delivery, DeliveryFilter, DetectAnswer, DetectParameters, EvidenceKey, EvidenceParameters, Face, FaceChange, FaceOptions, FacesFilter, Finding, Gallery, GalleryChange, GalleryParameters, GalleryStatistics, HistoryEvent, HistoryFilter, IdentifyAnswer, IdentifyParameters, Invitation, InvitedUser, MetaEntry, MetasFilter, NewAlert, NewSecret, NewSubscription, Notifications, Person, PersonChange, PersonGrouping, PersonHistoryEntry, PersonHistoryFilter, PersonSuggestion, PersonSummary, PersonsFilter, RecordingOffset, RecordingPiece, RotatedToken, RotationParameters, ServiceSettings, ServiceState, SettingsChange, SplitParameters, Subscription, SuggestionFilter, SummariesFilter, SummaryOptions, Token, TokenParameters, User } from './types.ts'

export class PhotoMethods extends Resource {
  /** Detect the faces on a photo. Boxes are in pixels of the upright photo. A photo without a face gives an empty list. With `bbox`, or with all of x1, y1, x2 and y2, the operation skips detection and returns these boxes in their order with the requested details. */
  detect(photo: Photo, parameters: DetectParameters = {}, options?: CallOptions): Promise<DetectAnswer> {
    return this.send({ method: 'POST', path: '/detect', body: parameters, photos: { photo }, repeatable: true }, options)
  }

  /** Search for the faces of a photo among enrolled faces. A face without a match has an empty list. `n` is the maximum number of matches per face; 0 stands for 1000. All faces of a photo together have at most 10000 matches. Boxes override `mf_selector`. `bbox` contains boxes; x1, y1, x2 and y2 are one box. Different values in both are refused. `fpir` and `threshold` are alternatives. With `target=persons` and neither of them, `fpir` is 0.01. */
  identify(photo: Photo, parameters: IdentifyParameters = {}, options?: CallOptions): Promise<IdentifyAnswer> {
    return this.send({ method: 'POST', path: '/identify', body: parameters, photos: { photo }, repeatable: true }, options)
  }
}

export class Faces extends Resource {
  /** Get a face. */
  get(id: number, { signal, timeoutMs, retries, onRetry, ...parameters }: FaceOptions & CallOptions = {}): Promise<Face> {
    return this.send({ method: 'GET', path: `/face/id/${segment(id)}`, query: parameters }, { signal, timeoutMs, retries, onRetry })
  }

  /** Change the meta, the person, the galleries or the review of a face. Absent fields stay unchanged. `person` is the name of the person; an unknown name creates a person. `person_id` is the number of the person; an unknown number creates a person. Other text in `person_id` is stored unchanged and refers to no person. If the meta is empty or the name of the previous person, it becomes the name of the new person. `not_person` is the id of a person that the face does not show: the face leaves this person and loses the name, and neither it nor similar new faces get this person again. A new `person` or `person_id` denies the previous person in the same way. `galleries` has one key: `add`, `del` or `set`; `default` contains every face. `review=set_aside` excludes the face from searches, persons and measurements; `confirmed` states that a finding of the check of a gallery is wrong. `none` removes both marks. */
  update(id: number, parameters: FaceChange = {}, options?: CallOptions): Promise<Face> {
    return this.send({ method: 'PUT', path: `/face/id/${segment(id)}`, body: parameters }, options)
  }

  /** Delete a face with its vector and its pictures. */
  delete(id: number, options?: CallOptions): Promise<void> {
    return this.send({ method: 'DELETE', path: `/face/id/${segment(id)}` }, options)
  }

  /** List all faces, newest first, in pages. All given filters must hold. `start` and `end` are inclusive, and refer to the `timestamp` of a face. `friend` is the field of a face. Links to other pages keep the filters. With `gallery`, of this gallery only. */
  list({ gallery, ...filter }: FacesFilter & { gallery?: string | undefined } = {}, options?: CallOptions): Pages<Face> {
    return this.pages(gallery === undefined ? '/faces' : `/faces/gallery/${segment(gallery)}`, filter, options)
  }

  /** Delete all faces with a meta. The faces are deleted from every gallery. The meta must match exactly. In the path it is URL-encoded, with %20 for a space. On paths without a meta, it is the parameter `meta`. With `gallery`, of this gallery only. */
  deleteWithMeta(meta: string, { gallery }: { gallery?: string | undefined } = {}, options?: CallOptions): Promise<void> {
    return this.send({ method: 'DELETE', path: gallery === undefined ? '/face/meta' : `/face/gallery/${segment(gallery)}/meta`, query: { meta } }, options)
  }
}

export class Metas extends Resource {
  /** List all metas, in pages. Each entry contains a meta, the number of its faces, and the first of these faces. Entries are in descending order of the ids of their first faces; `max_id` and `min_id` refer to these ids. `name` is one or more words, at most 16. It selects the metas that contain all of them, in any order, also inside a longer word: the first 1000 in alphabetical order. Case and accents do not count. Faces without a meta are not counted. With `gallery`, of this gallery only. */
  list({ gallery, ...filter }: MetasFilter & { gallery?: string | undefined } = {}, options?: CallOptions): Pages<MetaEntry> {
    return this.pages(gallery === undefined ? '/meta' : `/meta/gallery/${segment(gallery)}`, filter, options)
  }
}

export class Galleries extends Resource {
  /** List the names of all galleries. */
  list(options?: CallOptions): Pages<string> {
    return this.pages('/galleries', {}, options)
  }

  /** List all galleries with the numbers of their faces and the states of their indexes. `vectors`, `indexed` and `index` are absent while the vector store is unavailable. The counts are of one moment; an enrolment in progress can be in some of them. */
  statistics(options?: CallOptions): Pages<GalleryStatistics> {
    return this.pages('/statistics/galleries', {}, options)
  }

  /** Create a gallery. Not repeated after a lost answer: it may be done. */
  create(gallery: string, parameters: GalleryParameters = {}, options?: CallOptions): Promise<Gallery> {
    return this.send({ method: 'POST', path: `/galleries/${segment(gallery)}`, body: parameters }, options)
  }

  /** Get a gallery. */
  get(gallery: string, options?: CallOptions): Promise<Gallery> {
    return this.send({ method: 'GET', path: `/galleries/${segment(gallery)}` }, options)
  }

  /** Find mistakes among the faces of a gallery, in pages. Finds faces that are not like the others of their person (`disagrees`), persons that look like two (`divided`), two persons that look like one (`alike`), poor faces (`poor`), and pictures that are enrolled twice (`duplicate`). The person of a face is its `person_id`, else its meta. A page checks `limit` faces by rising ids, and each person with the first of their faces, so it can be empty and have a next page. Set a face aside or confirm it with `review` of `PUT /face/id/:id`. Findings whose faces are all confirmed are left out. */
  check(gallery: string, options?: CallOptions): Pages<Finding> {
    return this.pages(`/galleries/${segment(gallery)}/check`, {}, options)
  }

  /** Change the retention or the display name of a gallery. The service deletes an older face from every gallery. The retention of `default` applies to faces without another gallery and without a camera. */
  update(gallery: string, parameters: GalleryChange = {}, options?: CallOptions): Promise<Gallery> {
    return this.send({ method: 'PUT', path: `/galleries/${segment(gallery)}`, body: parameters }, options)
  }

  /** Delete a gallery and the faces in it. The faces are deleted from every gallery. The gallery `default` itself remains. */
  delete(gallery: string, options?: CallOptions): Promise<void> {
    return this.send({ method: 'DELETE', path: `/galleries/${segment(gallery)}` }, options)
  }
}

export class Persons extends Resource {
  /** List all persons. `name` is one or more words, at most 16. It selects the persons whose names contain all of them, in any order, also inside a longer word. Case and accents do not count. A person without a name is not selected. */
  list(filter: PersonsFilter = {}, options?: CallOptions): Pages<Person> {
    return this.pages('/persons', filter, options)
  }

  /** List persons with a face and the number of their faces, in pages. Persons are in descending order of their ids. `meta` selects the persons with exactly this meta, `named=false` the persons without a name. `name` is one or more words, at most 16. It selects the persons whose names contain all of them, in any order, also inside a longer word. Case and accents do not count. A person without a name is not selected. `face` is the chosen `portrait`, or the best of the 100 newest faces of the person: the face with the best quality, or the largest one where no quality is stored. `latest` is the latest of these faces by its time. */
  summaries(filter: SummariesFilter = {}, options?: CallOptions): Pages<PersonSummary> {
    return this.pages('/persons/summaries', filter, options)
  }

  /** Suggest pairs of persons that may be the same. Compares the `face` of each person of a page with the faces of persons with lower ids. A page has `limit` persons in descending order of their ids, and at most 5 pairs for each of them, so it can be empty and have a next page. Two persons on one photo are no pair. The gallery `default` is searched. `strict` and the header `X-Live-Servers` have the same meaning as in identify. */
  suggestions(filter: SuggestionFilter = {}, options?: CallOptions): Pages<PersonSuggestion> {
    return this.pages('/persons/suggestions', filter, options)
  }

  /** Get a person. */
  get(id: number, options?: CallOptions): Promise<Person> {
    return this.send({ method: 'GET', path: `/person/id/${segment(id)}` }, options)
  }

  /** Get a person with a face and the number of their faces. `face` is the chosen `portrait`, or the best of the 100 newest faces of the person: the face with the best quality, or the largest one where no quality is stored. `latest` is the latest of these faces by its time. `merged` follows a merged person to the kept one. */
  summary(id: number, { signal, timeoutMs, retries, onRetry, ...parameters }: SummaryOptions & CallOptions = {}): Promise<PersonSummary> {
    return this.send({ method: 'GET', path: `/person/id/${segment(id)}/summary`, query: parameters }, { signal, timeoutMs, retries, onRetry })
  }

  /** Change the meta of a person. The new meta is also set for faces of the person without a meta or with the previous name, and with `faces` for all faces of the person. `silent` marks a person to ignore: no alert rule alerts to the person, and up to 8 of its embeddings outlive their retention; this needs the scope of `manage`. `portrait` is the id of the face that represents the person. Without them, both stay as they are. */
  update(id: number, parameters: PersonChange, options?: CallOptions): Promise<Person> {
    return this.send({ method: 'PUT', path: `/person/id/${segment(id)}`, body: parameters }, options)
  }

  /** Merge other persons into a person. All faces of the persons `person_ids` move to the person of the path, with their history. The other persons are deleted, and their ids are not used again. The person of the path keeps its name, portrait and `silent`. Without a name, it gets the only name of the others, and without a portrait one of their portraits. Moved faces without a meta, or with the name of their previous person, get its name. A request with an unknown person is refused without any change. Not repeated after a lost answer: it may be done. */
  merge(id: number, person_ids: readonly number[], options?: CallOptions): Promise<PersonSummary> {
    return this.send({ method: 'POST', path: `/person/id/${segment(id)}/merge`, body: { person_ids } }, options)
  }

  /** Move faces of a person to a new person. Answers the new person, whose meta is `meta` or `autogenerated`. All `face_ids` must be faces of the person, and the person must keep at least one face. Otherwise nothing changes. Moved faces without a meta, or with the name of the previous person, get the name of the new person. `former_id` undoes a merge: the new person gets this id of a person that was merged into the old one, if no other person has it. Not repeated after a lost answer: it may be done. */
  split(id: number, face_ids: readonly number[], parameters: SplitParameters = {}, options?: CallOptions): Promise<PersonSummary> {
    return this.send({ method: 'POST', path: `/person/id/${segment(id)}/split`, body: { ...parameters, face_ids } }, options)
  }

  /** Delete a person and all faces of this person. Alert rules about this person alone are deleted, too. Rules about several persons remain for the others. */
  delete(id: number, options?: CallOptions): Promise<void> {
    return this.send({ method: 'DELETE', path: `/person/id/${segment(id)}` }, options)
  }

  /** Get the progress of the grouping of stored faces to persons. */
  grouping(options?: CallOptions): Promise<PersonGrouping> {
    return this.send({ method: 'GET', path: '/persons/grouping' }, options)
  }

  /** Group the stored faces without a person to persons, in the background. Each face gets a person or a `candidate` as in an enrolment with `person_identify`, in the order of the ids. A face without a meta gets the name of its person. Then automatic persons join persons without a name that are certainly the same, unless a user decided anything about them. `start` also continues a stopped grouping, and `stop` keeps the result so far. `undo` removes the persons that groupings assigned to faces, restores joined persons, and deletes persons that groupings made and that have no other faces. Persons that a user renamed, merged, split or corrected since keep their faces. Not repeated after a lost answer: it may be done. */
  group(action: 'start' | 'stop' | 'undo' = 'start', options?: CallOptions): Promise<PersonGrouping> {
    return this.send({ method: 'POST', path: '/persons/grouping', body: { action } }, options)
  }

  /** List the camera events of a person, newest first. The query string or a body may contain the parameters. */
  history(id: number, filter: PersonHistoryFilter = {}, options?: CallOptions): Pages<PersonHistoryEntry> {
    return this.pages(`/person/history/id/${segment(id)}`, filter, options)
  }
}

export class History extends Resource {
  /** List the events of cameras, newest first. An event is a face that was posted with a `cam_id`. Without a `limit`, or with 0, the response contains all events. `next_page` is absent on the last page. It supports GET and POST. */
  search(filter: HistoryFilter = {}, options?: CallOptions): Pages<HistoryEvent> {
    return this.pages('/history/search', { ...filter, pageSize: filter.pageSize ?? 100 }, options)
  }

  /** Export events as evidence. A ZIP file with the pictures, snapshots and clips of the events, `events.csv` with their times in the zone and in UTC, `manifest.json` with the SHA-256 of each file, `manifest.sig`, its Ed25519 signature, and `public-key.pem`. The audit log records the export. More than 500 events are `BAD_PARAM`. Files above 1024 MB in all, and files that were deleted, are `omitted` in the manifest. An owner may have 2 exports at once at each core. Not repeated after a lost answer: it may be done. */
  evidence(parameters: EvidenceParameters = {}, options?: CallOptions): Promise<Blob> {
    return this.send({ method: 'POST', path: '/evidence', body: parameters }, options)
  }
}

export class Service extends Resource {
  /** List the public keys of evidence, newest first. The newest key signs. Keep a copy of it elsewhere: evidence is verified with it. */
  evidenceKeys(options?: CallOptions): Pages<EvidenceKey> {
    return this.pages('/evidence/keys', {}, options)
  }

  /** Make a new key that signs evidence. The key belongs to the service. FORBIDDEN for one of several owners. Evidence that an earlier key has signed stays valid. Not repeated after a lost answer: it may be done. */
  renewEvidenceKey(options?: CallOptions): Promise<EvidenceKey> {
    return this.send({ method: 'POST', path: '/evidence/keys' }, options)
  }

  /** List the changes of the data of the owner, newest first. Entries have a `seq` below `max_seq`. `next_page` is null on the last page. */
  auditLog(filter: AuditLogFilter = {}, options?: CallOptions): Pages<AuditEntry> {
    return this.pages('/audit-log', filter, options)
  }

  /** Verify the chain of the audit log. The chain covers the entries of all owners: each entry has a hash over itself and the entry before. A request verifies 10000 further entries. Repeat it until `verified_to` equals `last`. A complete verification begins again after 10 minutes. */
  verifyAuditLog(options?: CallOptions): Promise<AuditVerification> {
    return this.send({ method: 'GET', path: '/audit-log/verification' }, options)
  }

  /** Get the state of the service. Version, models, calibration, shards, backups, drills and response times, as the core sees them that answers. */
  get(options?: CallOptions): Promise<ServiceState> {
    return this.send({ method: 'GET', path: '/service' }, options)
  }

  /** Ask for a backup now. The backup begins within seconds. The state of the service tells when it is complete. NOT_FOUND when the start of the service names no place for backups, FORBIDDEN for one of several owners. Not repeated after a lost answer: it may be done. */
  requestBackup(options?: CallOptions): Promise<void> {
    return this.send({ method: 'POST', path: '/backups' }, options)
  }

  /** List the settings that can be changed while the service runs. */
  settings(options?: CallOptions): Promise<ServiceSettings> {
    return this.send({ method: 'GET', path: '/settings' }, options)
  }

  /** Change settings of the service. A change is stored, reaches all cores within seconds, and wins over facenapi.ini and the environment until it is reset. FORBIDDEN for one of several owners. */
  changeSettings(parameters: SettingsChange = {}, options?: CallOptions): Promise<ServiceSettings> {
    return this.send({ method: 'PUT', path: '/settings', body: parameters }, options)
  }
}

export class Cameras extends Resource {
  /** Create a camera. Not repeated after a lost answer: it may be done. */
  create(parameters: CameraParameters = {}, options?: CallOptions): Promise<Camera> {
    return this.send({ method: 'POST', path: '/camera', body: parameters }, options)
  }

  /** List all cameras, oldest first. The response body is a JSON array. Credentials in `url` are `***`, except for tokens of the scopes `admin` and `camera`. */
  list(options?: CallOptions): Pages<Camera> {
    return this.pages('/camera', {}, options)
  }

  /** Get a camera. Credentials in `url` are `***`, except for tokens of the scopes `admin` and `camera`. */
  get(id: string, options?: CallOptions): Promise<Camera> {
    return this.send({ method: 'GET', path: `/camera/${segment(id)}` }, options)
  }

  /** Change a camera. An absent or empty `rot` or `roi` deletes this region, and an empty `meta` or `url` this text. Other absent fields stay unchanged. A `url` with masked credentials keeps the stored ones if its scheme, host and port are the stored ones. */
  update(id: string, parameters: CameraChange = {}, options?: CallOptions): Promise<Camera> {
    return this.send({ method: 'PUT', path: `/camera/${segment(id)}`, body: parameters }, options)
  }

  /** Delete a camera. The faces and the history events of the camera remain. */
  delete(id: string, options?: CallOptions): Promise<void> {
    return this.send({ method: 'DELETE', path: `/camera/${segment(id)}` }, options)
  }

  /** Take a camera as its watcher, or report its state. The lease lasts 15 seconds from the last report. Until then, other watchers get `CAMERA_TAKEN` with `Retry-After`. Send a `picture` while the last answer had `picture_wanted`. A report without a picture deletes the previous one. Absent fields are unknown. */
  lease(id: string, { picture, ...parameters }: CameraReport & { picture?: Photo | undefined }, options?: CallOptions): Promise<CameraLease> {
    return this.send({ method: 'PUT', path: `/camera/${segment(id)}/lease`, body: parameters, photos: { picture } }, options)
  }

  /** Give a camera back as its watcher. Other watchers may take it at once. Nothing changes when another watcher holds the camera. */
  release(id: string, watcher: string, options?: CallOptions): Promise<void> {
    return this.send({ method: 'DELETE', path: `/camera/${segment(id)}/lease`, body: { watcher } }, options)
  }

  /** Upload a piece of a recording, for the watcher to read once. Send the file in pieces of 4194304 bytes, in sequence. After an interruption, the first piece is answered with how many bytes have been `received`: go on there. `NOT_FOUND` also means that no watcher is connected, or that the recording was cancelled. `CAMERA_TAKEN`: the camera has another recording, or the owner has 4. The service deletes the file when it is read, and 24 hours after the last piece. */
  putRecording(id: string, piece: Photo, parameters: RecordingPiece, options?: CallOptions): Promise<CameraRecording> {
    return this.send({ method: 'PUT', path: `/camera/${segment(id)}/recording`, body: parameters, photos: { piece } }, options)
  }

  /** Get a piece of a recording, as the watcher that has its lease. */
  getRecording(id: string, { signal, timeoutMs, retries, onRetry, ...parameters }: RecordingOffset & CallOptions): Promise<Blob> {
    return this.send({ method: 'GET', path: `/camera/${segment(id)}/recording`, query: parameters }, { signal, timeoutMs, retries, onRetry })
  }

  /** Cancel the recording of a camera. Events that it has made remain. */
  deleteRecording(id: string, options?: CallOptions): Promise<void> {
    return this.send({ method: 'DELETE', path: `/camera/${segment(id)}/recording` }, options)
  }

  /** Get the state of a camera. `live`: a watcher holds the camera, and frames arrive. The other fields are from the last report of the watcher, and null for a camera that no watcher has taken or that was given back. */
  state(id: string, options?: CallOptions): Promise<CameraState> {
    return this.send({ method: 'GET', path: `/camera/${segment(id)}/state` }, options)
  }

  /** Get the last frame of a camera. A JPEG image, with boxes around the faces. Watchers send pictures only after a request, for 30 seconds: the first request gets `NOT_FOUND` with `Retry-After`. Then there is a new picture every 2 seconds. `NOT_FOUND` without `Retry-After`: no watcher watches the camera. */
  picture(id: string, options?: CallOptions): Promise<Blob> {
    return this.send({ method: 'GET', path: `/camera/${segment(id)}/picture` }, options)
  }
}

export class Alerts extends Resource {
  /** Create an alert rule. The rule posts a message to `url` for each face of a camera that meets all its conditions, from now on. Without `url`, its alerts are only in the live events (`GET /events?alerts=true`), which have the alerts of all rules. Messages are signed by the Standard Webhooks specification with `secret`, which no other answer shows. A message arrives at least once; repeats have the same `webhook-id`. Failed attempts are repeated for 24 hours. The service connects to public addresses only. Not repeated after a lost answer: it may be done. */
  create(parameters: AlertParameters = {}, options?: CallOptions): Promise<NewAlert> {
    return this.send({ method: 'POST', path: '/alerts', body: parameters }, options)
  }

  /** List all alert rules, oldest first. */
  list(options?: CallOptions): Pages<Alert> {
    return this.pages('/alerts', {}, options)
  }

  /** Get an alert rule. */
  get(id: string, options?: CallOptions): Promise<Alert> {
    return this.send({ method: 'GET', path: `/alert/id/${segment(id)}` }, options)
  }

  /** Replace the settings of an alert rule. Replaces all settings: an absent condition is removed. A rule that becomes enabled begins with the faces from now on. The secret stays; a rule that gets its first `url` has a new `secret` in the answer. Pending messages wait while the rule is not enabled, and fail if it has no `url`. */
  update(id: string, parameters: AlertParameters = {}, options?: CallOptions): Promise<NewAlert> {
    return this.send({ method: 'PUT', path: `/alert/id/${segment(id)}`, body: parameters }, options)
  }

  /** Delete an alert rule with its deliveries. */
  delete(id: string, options?: CallOptions): Promise<void> {
    return this.send({ method: 'DELETE', path: `/alert/id/${segment(id)}` }, options)
  }

  /** Replace the secret of an alert rule. For 24 hours, messages carry signatures of the new secret and of the previous one. At most 3 secrets sign: more rotations within this time end the oldest. Not repeated after a lost answer: it may be done. */
  rotateSecret(id: string, options?: CallOptions): Promise<NewSecret> {
    return this.send({ method: 'POST', path: `/alert/id/${segment(id)}/secret` }, options)
  }

  /** Send a test message. The message has the type `test` and no face. It is delivered as any other. Not repeated after a lost answer: it may be done. */
  test(id: string, options?: CallOptions): Promise<Delivery> {
    return this.send({ method: 'POST', path: `/alert/id/${segment(id)}/test` }, options)
  }

  /** List the deliveries of an alert rule, newest first. Deliveries that have ended are listed for 7 days. Deliveries of a deleted face are deleted. */
  deliveries(id: string, filter: DeliveryFilter = {}, options?: CallOptions): Pages<Delivery> {
    return this.pages(`/alert/id/${segment(id)}/deliveries`, filter, options)
  }

  /** Send a delivery again. It keeps its `webhook-id`, and is attempted for 24 hours again. BAD_PARAM for a delivery that was accepted. Not repeated after a lost answer: it may be done. */
  retry(id: string, delivery: number, options?: CallOptions): Promise<Delivery> {
    return this.send({ method: 'POST', path: `/alert/id/${segment(id)}/deliveries/${segment(delivery)}/retry` }, options)
  }

  /** List the alerts of all rules, newest first. Alerts are kept for 7 days, and go with their faces. Tests are not listed. */
  history(filter: AlertHistoryFilter = {}, options?: CallOptions): Pages<AlertHistoryEntry> {
    return this.pages('/alerts/history', filter, options)
  }

  /** Mark an alert as seen, or take the mark back. The mark has the name of the user or of the token. The first mark stays. */
  markSeen(id: number, seen: boolean = true, earlier: boolean = false, options?: CallOptions): Promise<AlertMark> {
    return this.send({ method: 'PUT', path: `/alerts/history/${segment(id)}`, body: { seen, earlier } }, options)
  }

  /** List the browsers of the user or token that show notifications. A browser subscribes with `public_key`, the key of the service by RFC 8292. */
  notifications(options?: CallOptions): Promise<Notifications> {
    return this.send({ method: 'GET', path: '/notifications' }, options)
  }

  /** Send notifications to a browser. The parameters are the fields of a `PushSubscription`. The browser shows the alerts of rules with `browsers`, until the user is removed or the token ends, the session is ended, or the push service forgets the browser. The push service learns when there are messages, and cannot read them. A user or token has at most 20 browsers. Not repeated after a lost answer: it may be done. */
  subscribe(parameters: Subscription, options?: CallOptions): Promise<NewSubscription> {
    return this.send({ method: 'POST', path: '/notifications', body: parameters }, options)
  }

  /** Stop notifications to a browser. */
  unsubscribe(id: string, options?: CallOptions): Promise<void> {
    return this.send({ method: 'DELETE', path: `/notifications/${segment(id)}` }, options)
  }
}

export class Tokens extends Resource {
  /** Get the token of the request. `permissions` is what its scope allows. The text of the token is not in the response. */
  current(options?: CallOptions): Promise<CurrentToken> {
    return this.send({ method: 'GET', path: '/token' }, options)
  }

  /** List the tokens of the owner. Valid tokens come first, then those that have ended, newest first. The list has at most 1000 tokens. */
  list(options?: CallOptions): Pages<Token> {
    return this.pages('/tokens', {}, options)
  }

  /** Create a token of the owner. The service does not store the text of a token: only this response has it. An owner has at most 1000 valid tokens. Not repeated after a lost answer: it may be done. */
  create(parameters: TokenParameters, options?: CallOptions): Promise<CreatedToken> {
    return this.send({ method: 'POST', path: '/tokens', body: parameters }, options)
  }

  /** Replace a token. The new token has the name, scope, rate and lifetime of the old one. The old one stays valid for `grace_hours`. The service does not store the text of a token: only this response has it. Not repeated after a lost answer: it may be done. */
  rotate(id: string, parameters: RotationParameters = {}, options?: CallOptions): Promise<RotatedToken> {
    return this.send({ method: 'POST', path: `/tokens/${segment(id)}/rotate`, body: parameters }, options)
  }

  /** Revoke a token. An edge beside its core refuses the token at once, any other within 20 seconds. The token of the request cannot revoke itself. */
  revoke(id: string, options?: CallOptions): Promise<void> {
    return this.send({ method: 'DELETE', path: `/tokens/${segment(id)}` }, options)
  }
}

export class Users extends Resource {
  /** List the users of the owner. People with access through the console, by name, with their passkeys, newest first. Sessions that have ended are left out. */
  list(options?: CallOptions): Pages<User> {
    return this.pages('/users', {}, options)
  }

  /** Invite a user. The link works once. The colleague opens it, makes a passkey, and signs in with the passkey from then on. It ends after 3 days without `expires`. Roles are scopes of tokens: `look` is `read`, `administer` is `admin`. Not repeated after a lost answer: it may be done. */
  invite(parameters: Invitation, options?: CallOptions): Promise<InvitedUser> {
    return this.send({ method: 'POST', path: '/users', body: parameters }, options)
  }

  /** Delete a user with all passkeys and sessions. The audit log keeps the name. A user cannot delete themselves. */
  delete(id: string, options?: CallOptions): Promise<void> {
    return this.send({ method: 'DELETE', path: `/users/${segment(id)}` }, options)
  }

  /** Remove a passkey of a user. All sessions of the user end, except the session of the request: each may be on a lost device. */
  deletePasskey(id: string, options?: CallOptions): Promise<void> {
    return this.send({ method: 'DELETE', path: `/passkeys/${segment(id)}` }, options)
  }

  /** End a session of a user. An edge beside its core refuses it at once, any other within 20 seconds. */
  endSession(id: string, options?: CallOptions): Promise<void> {
    return this.send({ method: 'DELETE', path: `/sessions/${segment(id)}` }, options)
  }
}

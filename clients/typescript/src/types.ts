/** Types of parameters and answers, by the names of the API. They come from the OpenAPI document. */
import type { components, operations } from './schema.ts'

type Schemas = components['schemas']
type Operations = operations

/** Fields of the multipart form of an operation. */
type Form<Name extends 'detect' | 'verify' | 'identify' | 'enrol' | 'leaseCamera'> =
  Operations[Name]['requestBody']['content']['multipart/form-data']

/** Fields of the JSON body of an operation. */
type Json<
  Name extends
    | 'updateFace'
    | 'updatePerson'
    | 'createGallery'
    | 'changeGallery'
    | 'createCamera'
    | 'changeCamera'
    | 'createToken'
    | 'rotateToken'
    | 'createAlert'
    | 'subscribeBrowser'
    | 'inviteUser'
    | 'changeSettings',
> = NonNullable<Operations[Name]['requestBody']>['content']['application/json']

type Query<
  Name extends
    | 'personHistory'
    | 'browseHistory'
    | 'suggestPersons'
    | 'listFaces'
    | 'followEvents'
    | 'listDeliveries'
    | 'listAlertHistory',
> = NonNullable<Operations[Name]['parameters']['query']>

type Answer<Name extends 'detect' | 'verify' | 'identify'> =
  Operations[Name]['responses'][200]['content']['application/json']

export type Alert = Schemas['Alert']
/** An alert that the service keeps, and who saw it. */
export type AlertHistoryEntry = Schemas['AlertHistoryEntry']
/** What an alert says: the rule, and the face with its person; a test has the rule alone. */
export type AlertData = Schemas['AlertData']
/** The body of a message to a webhook. Verify its signature first. */
export type AlertMessage = Schemas['AlertMessage']
export type AlertPerson = Schemas['AlertPerson']
export type Box = Schemas['Box']
export type Camera = Schemas['Camera']
export type CameraState = Schemas['CameraState']
export type AuditEntry = Schemas['AuditEntry']
export type AuditVerification = Schemas['AuditVerification']
export type CreatedToken = Schemas['CreatedToken']
export type CurrentToken = Schemas['CurrentToken']
export type Delivery = Schemas['Delivery']
export type Face = Schemas['Face']
export type Finding = Schemas['Finding']
export type Gallery = Schemas['Gallery']
export type GalleryStatistics = Schemas['GalleryStatistics']
export type GroupingPreview = Schemas['GroupingPreview']
export type HistoryEvent = Schemas['HistoryEvent']
export type Match = Schemas['Match']
export type MetaEntry = Schemas['MetaEntry']
export type Person = Schemas['Person']
export type PersonGrouping = Schemas['PersonGrouping']
export type PersonSuggestion = Schemas['PersonSuggestion']
export type PersonSummary = Schemas['PersonSummary']
export type PersonHistoryEntry = Schemas['PersonHistoryEntry']
export type Quality = Schemas['Quality']
export type RotatedToken = Schemas['RotatedToken']
export type ServiceSettings = Schemas['ServiceSettings']
export type ServiceState = Schemas['ServiceState']
export type Token = Schemas['Token']
export type InvitedUser = Schemas['InvitedUser']
export type User = Schemas['User']

export type DetectParameters = Omit<Form<'detect'>, 'photo'>
export type VerifyParameters = Omit<Form<'verify'>, 'photo1' | 'photo2' | 'person_id'>
export type VerifyPersonParameters = Omit<VerifyParameters, 'bbox2'>
export type IdentifyParameters = Omit<Form<'identify'>, 'photo'>
export type EnrolParameters = Omit<Form<'enrol'>, 'photo'>

export type DetectAnswer = Answer<'detect'>
/** A face that `detect` found: its box and the requested details. */
export type DetectedFace = DetectAnswer['faces'][number]
/** An answer of `verify`: its results have the field of what was compared with. */
type Verified<Other extends 'bbox2' | 'person'> = Omit<Answer<'verify'>, 'results'> & {
  results: (Omit<Verification, 'bbox2' | 'person'> & Required<Pick<Verification, Other>>)[]
}
type Verification = Answer<'verify'>['results'][number]
export type VerifyAnswer = Verified<'bbox2'>
export type VerifyPersonAnswer = Verified<'person'>
export type IdentifyAnswer = Answer<'identify'>

/** Absent fields stay unchanged. */
export type FaceChange = Json<'updateFace'>
export type PersonChange = Json<'updatePerson'>
export type GalleryParameters = Json<'createGallery'>
export type GalleryChange = Json<'changeGallery'>
export type CameraParameters = Json<'createCamera'>
/** An absent `rot` or `roi` deletes this region. Other absent fields stay unchanged. */
export type CameraChange = Json<'changeCamera'>
/** What a watcher reports of a camera. Absent fields are unknown. */
export type CameraReport = Omit<Form<'leaseCamera'>, 'picture'>
export type CameraLease = Operations['leaseCamera']['responses'][200]['content']['application/json']

export type TokenParameters = Json<'createToken'>
export type Invitation = Json<'inviteUser'>
export type RotationParameters = Json<'rotateToken'>

/** Absent settings stay as they are. Those of `reset` get their initial values. */
export type SettingsChange = Json<'changeSettings'>

/** A rule. With its first webhook, it has a secret, which no other answer has. */
export type NewAlert = Operations['createAlert']['responses'][201]['content']['application/json']
export type NewSecret = Operations['rotateAlertSecret']['responses'][200]['content']['application/json']
/** An absent condition is none. */
export type AlertParameters = Json<'createAlert'>
/** `limit` is the number of deliveries per request, 1 to 1,000. */
export type DeliveryFilter = NonNullable<Query<'listDeliveries'>>

/** `limit` is the number of alerts per request, 1 to 1,000. */
export type AlertHistoryFilter = NonNullable<Query<'listAlertHistory'>>
export type AlertMark = Operations['markAlertSeen']['responses'][200]['content']['application/json']
export type Subscription = Json<'subscribeBrowser'>
export type Notifications = Operations['listNotifications']['responses'][200]['content']['application/json']

/** Times are ISO 8601 and inclusive. */
export type PersonHistoryFilter = Query<'personHistory'>
/** `limit` is the number of persons per request, 1 to 50. */
export type SuggestionFilter = Query<'suggestPersons'>
export type EventFilter = Omit<Query<'followEvents'>, 'last_event_id' | 'alerts'>
export type HistoryFilter = Omit<Query<'browseHistory'>, 'limit' | 'max_id'>
/** All given conditions must hold. Times are ISO 8601 and inclusive; `cam_id` is a list. */
export type FaceConditions = Omit<Query<'listFaces'>, 'limit' | 'max_id' | 'min_id'>

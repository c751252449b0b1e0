/** Alert rules, and the deliveries of their messages. */
import * as z from 'zod'
import { FaceId } from '../ids.ts'
import { ALERT_LIMITS } from '../limits/alerts.ts'
import { CAMERA_LIMITS } from '../limits/cameras.ts'
import { PHOTO_LIMITS } from '../limits/photos.ts'
import { HexId, Natural, Share } from '../scalars.ts'
import { CameraId } from './camera.ts'
import { type Face, FaceSchema, MatchSchema } from './face.ts'
import { GalleryName } from './gallery.ts'
import { EventId } from './history.ts'
import { PersonId } from './person.ts'

/** Id of an alert rule: 32 hexadecimal digits. */
export const AlertId = HexId

/** Id of a delivery. Rises from delivery to delivery. */
export const DeliveryId = Natural

export const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const

const TimeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/)

/** Hours of days. `to` is not included. Hours with `to` before or at `from` end on the next day. */
export const HoursSchema = z.strictObject({
  days: z.array(z.enum(DAYS)).min(1).max(DAYS.length),
  from: TimeOfDay,
  to: TimeOfDay,
})
export type Hours = z.infer<typeof HoursSchema>

/**
 * Conditions of a rule on a face of a camera, and whether its picture is shown. All must hold. An absent field is no condition. A
 * new condition also needs its parameter in contract/parameters/alerts.ts, a test of faces in core/operations/alerts/conditions.ts
 * and `npm run openapi`. The console needs its field and line in console/alerts (the types demand both), and texts in
 * console/texts/alerts.ts. docs/alerts.md needs its row.
 */
const AlertConditionsSchema = z.strictObject({
  cam_ids: z.array(CameraId).max(CAMERA_LIMITS.perRequest).optional(),
  person_ids: z.array(PersonId).max(ALERT_LIMITS.persons).optional(),
  except_person_ids: z
    .array(PersonId)
    .max(ALERT_LIMITS.persons)
    .optional()
    .describe('The rule does not alert to these persons, also when a face probably shows one of them.'),
  gallery: GalleryName.optional().describe(
    'The person of the face has a face in this gallery, or the face matches one there that is of no other person. With ' +
      '`unknown`: neither.',
  ),
  threshold: Share.describe('The least confidence of a match in the gallery.'),
  fpir: Share.optional().describe(
    'Instead of the threshold: the share of strangers that may match the gallery.',
  ),
  unknown: z
    .boolean()
    .optional()
    .describe(
      'With `gallery`: no person of the gallery, not even probably. Else: the face is the first one of its person. A poor or covered ' +
        'face is never unknown.',
    ),
  friend: z.boolean().optional(),
  min_quality: Share.optional().describe(
    'The least measured quality of the face. A better picture of a visit may reach it.',
  ),
  hours: z.array(HoursSchema).min(1).max(ALERT_LIMITS.hours).optional(),
  time_zone: z.string().describe('The time zone of `hours`, for example `Europe/Berlin`.'),
  cooldown_seconds: Natural.max(ALERT_LIMITS.cooldownSeconds).describe(
    'Seconds without a further message about the same person.',
  ),
  pictures: z
    .boolean()
    .optional()
    .describe(
      'Whether messages to phones and browsers carry the picture of the face: ntfy and Telegram get a file, others get a link that ' +
        'expires after a day.',
    ),
})
export type AlertConditions = z.infer<typeof AlertConditionsSchema>

/** Services that show messages on phones. */
export const ALERT_FORMATS = ['ntfy', 'gotify', 'telegram'] as const
export type AlertFormat = (typeof ALERT_FORMATS)[number]

/** Everything of a rule that the owner sets. */
export const AlertSettingsSchema = AlertConditionsSchema.extend({
  name: z.string().max(ALERT_LIMITS.nameLength),
  enabled: z.boolean(),
  url: z
    .string()
    .max(PHOTO_LIMITS.nameLength)
    .describe('The webhook: messages are posted to this URL. Empty: alerts are in live streams only.'),
  format: z
    .enum(ALERT_FORMATS)
    .optional()
    .describe(
      'The service of `url`: its messages are a title, a sentence and a link. Absent: Standard Webhooks.',
    ),
  browsers: z
    .boolean()
    .optional()
    .describe('Whether browsers that asked for them show its alerts as notifications.'),
})
export type AlertSettings = z.infer<typeof AlertSettingsSchema>

export const AlertSchema = z
  .strictObject({ id: AlertId, ...AlertSettingsSchema.shape, created: z.string() })
  .meta({ id: 'Alert' })
export type Alert = z.infer<typeof AlertSchema>

/** The secret of a webhook by the Standard Webhooks specification. */
const WebhookSecret = z.string().describe('`whsec_...`. Shown in this answer only.')

/** A rule, and its secret when the rule has just got its first webhook. */
export const SetAlertSchema = z.strictObject({ ...AlertSchema.shape, secret: WebhookSecret.optional() })
export const NewSecretSchema = z.strictObject({ secret: WebhookSecret })

export const DELIVERY_STATES = ['pending', 'delivered', 'failed'] as const
export const DeliveryStateSchema = z.enum(DELIVERY_STATES)

export const DeliverySchema = z
  .strictObject({
    id: DeliveryId,
    message_id: z.string().describe('The header `webhook-id` of all attempts.'),
    type: z.enum(['face.seen', 'test']),
    state: DeliveryStateSchema,
    created: z.string(),
    attempts: Natural,
    event_id: EventId.optional(),
    face_id: FaceId.optional(),
    person_id: z
      .union([z.number(), z.string()])
      .optional()
      .describe('The present person of the face: after a merge, the one that stayed.'),
    next_attempt: z.string().optional().describe('While pending: not before this time.'),
    ended: z.string().optional(),
    fault: z.string().optional().describe('Why the last attempt failed, or was not made.'),
    subscription: z.string().optional().describe('Id of the browser that shows it as a notification.'),
  })
  .meta({ id: 'Delivery' })
export type Delivery = z.infer<typeof DeliverySchema>

/** Known facts about the person of a face when a message is made. */
const AlertPersonSchema = z
  .strictObject({
    id: z.union([z.number(), z.string()]),
    meta: z.string().optional().describe('Absent when `id` is a text, which names no person of the service.'),
    seen: Natural.describe('Number of the faces of this person that cameras have posted.'),
    first_seen: z.string().optional().describe('Time of the earliest of them.'),
  })
  .meta({ id: 'AlertPerson' })
export type AlertPerson = z.infer<typeof AlertPersonSchema>

/** Content of an alert: the rule, the face that met its conditions, and the person. A test has only the rule. */
export const AlertDataSchema = z
  .strictObject({
    alert: z.strictObject({ id: AlertId, name: z.string() }),
    event_id: EventId.optional(),
    face: FaceSchema.optional(),
    camera: z.string().optional().describe('Name of the camera, in messages. Absent without a name.'),
    person: AlertPersonSchema.optional().describe('Absent for a face without a person.'),
    matches: z.array(MatchSchema).optional().describe('Who of the gallery of the rule it is.'),
  })
  .meta({ id: 'AlertData' })
export type AlertData = z.infer<typeof AlertDataSchema>

/** Who saw an alert: the name of a user or of a token. */
export const SeenSchema = z.strictObject({ by: z.string(), time: z.string() })

/** An alert that the service keeps. */
export const AlertHistoryEntrySchema = z
  .strictObject({
    id: DeliveryId,
    created: z.string(),
    ...AlertDataSchema.shape,
    seen: SeenSchema.optional().describe('Absent until a person marks it as seen.'),
  })
  .meta({ id: 'AlertHistoryEntry' })
export type AlertHistoryEntry = z.infer<typeof AlertHistoryEntrySchema>

/** Id of a browser that shows notifications: the first 32 hexadecimal digits of the SHA-256 of its endpoint. */
export const SubscriptionId = HexId

/** The browsers of a caller. */
export const SubscriptionsSchema = z.strictObject({
  public_key: z.string().describe('The `applicationServerKey` of subscriptions.'),
  subscriptions: z
    .array(SubscriptionId)
    .describe('Their ids: the first 32 hexadecimal digits of the SHA-256 of their endpoints.'),
})

/** The data with `link` of each face. Core makes paths of pictures; receivers need URLs. */
export const withLinkedFaces = <D extends AlertData>(data: D, link: (face: Face) => Face): D => ({
  ...data,
  ...(data.face && { face: link(data.face) }),
  ...(data.matches && {
    matches: data.matches.map(match => ({ ...match, face: link(match.face) })),
  }),
})

/** The body of a message. */
export const AlertMessageSchema = z
  .strictObject({
    type: z.enum(['face.seen', 'test']),
    timestamp: z.string().describe('When this attempt was made: ISO 8601, UTC.'),
    data: AlertDataSchema,
  })
  .meta({ id: 'AlertMessage' })
export type AlertMessage = z.infer<typeof AlertMessageSchema>

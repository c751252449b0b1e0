/** Parameters of alert rules. */
import * as z from 'zod'
import { ALERT_LIMITS } from '../limits/alerts.ts'
import { PHOTO_LIMITS } from '../limits/photos.ts'
import { ALERT_FORMATS, type AlertSettings, DAYS, HoursSchema } from '../model/alert.ts'
import { boolean, field, fraction, integer, oneOf, optional, text, withDefault } from './fields.ts'
import { cameraIds, gallery, idList } from './ids.ts'
import { openapiOverrides } from './json-schema.ts'
import { parsedText } from './json-text.ts'
import { matchConditions, matchParameters } from './photos.ts'

const HoursList = z.array(HoursSchema).min(1).max(ALERT_LIMITS.hours)

const HOURS = `a list of 1 to ${ALERT_LIMITS.hours} objects like {"days": ["mon", "tue"], "from": "18:00", "to": "06:00"}`

const hours = field(value => {
  const given = parsedText(value)
  return HoursList.safeParse(Array.isArray(given) ? given : [given]).data
}, HOURS).register(openapiOverrides, {
  type: 'array',
  minItems: 1,
  maxItems: ALERT_LIMITS.hours,
  items: {
    type: 'object',
    properties: {
      days: { type: 'array', items: { type: 'string', enum: DAYS }, minItems: 1, maxItems: DAYS.length },
      from: { type: 'string', pattern: '^([01]\\d|2[0-3]):[0-5]\\d$' },
      to: { type: 'string', pattern: '^([01]\\d|2[0-3]):[0-5]\\d$' },
    },
    required: ['days', 'from', 'to'],
  },
  description:
    'Hours of days, in the time zone `time_zone`. `to` is not included. Hours with `to` before or at `from` end on the next day.',
  examples: [[{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '18:00', to: '06:00' }]],
})

/** Characters of the name of a time zone. The longest one has 32. */
export const TIME_ZONE_LENGTH = 64

/** Settings of a rule. Each absent condition is none. */
export const alertParameters = {
  url: optional(text(PHOTO_LIMITS.nameLength)),
  format: optional(oneOf(ALERT_FORMATS)),
  browsers: optional(boolean),
  pictures: optional(boolean),
  name: withDefault(text(ALERT_LIMITS.nameLength), ''),
  enabled: withDefault(boolean, true),
  cam_ids: optional(cameraIds),
  person_ids: optional(idList(ALERT_LIMITS.persons, 'Ids of persons.')),
  except_person_ids: optional(idList(ALERT_LIMITS.persons, 'Ids of persons.')),
  gallery: optional(gallery),
  threshold: matchParameters.threshold,
  fpir: matchParameters.fpir,
  unknown: optional(boolean),
  friend: optional(boolean),
  min_quality: optional(fraction),
  hours: optional(hours),
  time_zone: withDefault(text(TIME_ZONE_LENGTH), 'UTC'),
  cooldown_seconds: withDefault(integer(0, ALERT_LIMITS.cooldownSeconds), 0),
}

const base64Url = (bytes: number, example: string) => {
  const expected = `${bytes} bytes as base64url`
  const pattern = new RegExp(`^[\\w-]{${Math.ceil((bytes * 4) / 3)}}$`)
  return z
    .string(expected)
    .regex(pattern, expected)
    .meta({ examples: [example] })
}

/** The id of a rule outside of a path. */
export const alertId = z.string('the id of a rule').regex(/^[0-9a-f]{32}$/, 'the id of a rule')

/** The endpoint and the keys of a PushSubscription: a point of P-256, and a secret. The examples stand in RFC 8291. */
export const subscriptionParameters = {
  endpoint: z
    .string('a URL')
    .max(PHOTO_LIMITS.nameLength, `a URL of at most ${PHOTO_LIMITS.nameLength} characters`)
    .meta({ examples: ['https://push.example.net/push/JzLQ3raZJfFBR0aqvOMsLrt54w4rJUsV'] }),
  p256dh: base64Url(
    65,
    'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  ),
  auth: base64Url(16, 'BTBZMqHH6r4Tts7J_aSIgg'),
}

/** The parameters as settings of an RPC request. An empty list of cameras is no condition. */
export const alertSettings = ({
  url = '',
  threshold,
  fpir,
  cam_ids,
  ...settings
}: z.output<z.ZodObject<typeof alertParameters>>): AlertSettings => ({
  ...settings,
  url,
  // An answer has both: a caller can send it back.
  ...matchConditions(fpir === undefined ? { threshold } : { fpir }),
  cam_ids: cam_ids?.length ? cam_ids : undefined,
})

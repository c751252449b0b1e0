/** The conditions of a rule: as fields of its form, as parameters of the API, and as texts of a list. */
import type { Alert, AlertParameters } from '../../clients/typescript/src/index.ts'
import { formatClock } from '../format.ts'
import { TEXTS } from '../texts.ts'

export const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const

/** The time zone of the visitor. */
export const LOCAL_TIME_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone

export type Hours = NonNullable<Alert['hours']>[number]

/** The settings of a rule, which an update replaces as a whole. */
export const settingsOf = ({ id: _, created: __, ...settings }: Alert): AlertParameters => settings

/** Hours of the form. `days` are the chosen days. */
export interface HoursFields {
  days: readonly string[]
  from: string
  to: string
}

/** Hours for the API; undefined when a day or a time is missing. */
export function hoursOf(fields: readonly HoursFields[]): Hours[] | undefined {
  const hours = fields.map(({ days, from, to }) => ({
    days: DAYS.filter(day => days.includes(day)),
    from,
    to,
  }))
  return hours.every(({ days, from, to }) => days.length > 0 && from !== '' && to !== '') ? hours : undefined
}

/**
 * Parameters of the form's fields; a text that says which field is wrong. Empty fields are no condition.
 * `cameras` are ids with dashes, as the API lists them.
 */
export function parametersOf(form: FormData, hours: readonly HoursFields[]): AlertParameters | string {
  const text = (name: string) => String(form.get(name) ?? '').trim()
  const optional = (name: string) => text(name) || undefined
  const persons = (name: 'person_ids' | 'except_person_ids') => optional(name)?.split(', ').map(Number)
  const times = hoursOf(hours)
  if (!times) return TEXTS.alert.hoursInvalid
  const cameras = form.getAll('cam_ids').map(String)
  const isTrue = (name: string) => (text(name) === '' ? undefined : text(name) === 'true')
  return {
    name: text('name'),
    enabled: form.has('enabled'),
    url: text('url'),
    browsers: form.has('browsers') || undefined,
    pictures: form.has('pictures') || undefined,
    format: optional('format') as AlertParameters['format'],
    cam_ids: cameras.length > 0 ? cameras : undefined,
    person_ids: persons('person_ids'),
    except_person_ids: persons('except_person_ids'),
    gallery: optional('gallery'),
    ...matchOf(text('match').split(' ')),
    unknown: isTrue('unknown'),
    friend: isTrue('friend'),
    min_quality: Number(text('min_quality')) || undefined,
    hours: times.length > 0 ? times : undefined,
    time_zone: text('time_zone'),
    cooldown_seconds: Number(text('cooldown_seconds')),
  } satisfies Record<keyof AlertParameters, unknown>
}

/** FPIR of matches for which the service says certain and probable. A test compares them with the contract. */
export const FPIRS = { certain: 0.001, probable: 0.01 } as const

/** The field of matches: a name of a parameter, and its value. */
const matchOf = ([name, value]: string[]): Record<'threshold' | 'fpir', number | undefined> => ({
  threshold: undefined,
  fpir: undefined,
  [name!]: Number(value),
})

/** The field of the form that makes a rule useless: it has no receiver, or matches no person. */
export function faultyField(rule: AlertParameters): 'url' | 'unknown' | undefined {
  const { url, browsers, gallery, unknown, person_ids, friend } = rule
  if (!url && !browsers) return 'url'
  const isNew = gallery === undefined && unknown === true
  return isNew && (person_ids !== undefined || friend === true) ? 'unknown' : undefined
}

/** Whether the rule compares with a gallery by a confidence, which bounds no false alarms. */
export const isConvertible = ({ gallery, fpir, unknown }: Alert): boolean =>
  gallery !== undefined && fpir === undefined && unknown !== true

/** Whether the rule is enabled and has no condition: every face of every camera alerts. */
export const alertsToEverybody = (rule: AlertParameters): boolean =>
  rule.enabled === true && Object.values(conditionsOf(rule)).every(value => value === undefined)

/** The fields that decide which faces a rule is about. */
const conditionsOf = ({
  name,
  enabled,
  url,
  format,
  browsers,
  pictures,
  threshold,
  fpir,
  time_zone,
  cooldown_seconds,
  ...conditions
}: AlertParameters) => conditions

/** Titles of the subjects of conditions in a list. Ids of cameras have no dashes. */
export interface Titles {
  camera: (id: string) => string
  person: (id: number) => string
  gallery: (name: string) => string
}

/** One line for each condition of a rule. */
export function conditionLines(rule: Alert, titles: Titles): string[] {
  const {
    cam_ids,
    person_ids,
    except_person_ids: except,
    gallery,
    unknown,
    friend,
    min_quality,
    hours,
    time_zone,
    cooldown_seconds,
    pictures,
  } = rule
  const texts = TEXTS.alerts
  const told: Record<keyof ReturnType<typeof conditionsOf> | 'cooldown_seconds', string | false | undefined> =
    {
      cam_ids: cam_ids && texts.cameras(cam_ids.map(titles.camera).join(', ')),
      person_ids: person_ids && texts.persons(person_ids.map(titles.person).join(', ')),
      except_person_ids: except && texts.except(except.map(titles.person).join(', ')),
      gallery:
        gallery !== undefined && (unknown ? texts.matchesNone : texts.matches)(titles.gallery(gallery)),
      unknown:
        gallery === undefined && unknown !== undefined && (unknown ? texts.firstFace : texts.laterFace),
      friend: friend !== undefined && (friend ? texts.friends : texts.noFriends),
      min_quality: min_quality !== undefined && texts.quality(min_quality),
      hours: hours && texts.hours(hours.map(hoursText).join('; '), time_zone),
      cooldown_seconds: cooldown_seconds > 0 && texts.cooldown(cooldown_seconds),
    }
  const lines = Object.values(told).filter(line => typeof line === 'string')
  return [...(lines.length > 0 ? lines : [texts.everything]), ...(pictures ? [texts.withPictures] : [])]
}

const hoursText = ({ days, from, to }: Hours) =>
  `${days.map(day => TEXTS.alert.days[day]).join(' ')} ${formatClock(from)} – ${formatClock(to)}`

/** Host of a webhook. Its path can be a secret. */
export const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url)

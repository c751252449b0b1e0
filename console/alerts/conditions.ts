/** The conditions of a rule: what its form holds, what the API takes, and how a list says them. */
import type { Alert, AlertParameters } from '../../clients/typescript/src/index.ts'
import { formatClock } from '../format.ts'
import { TEXTS } from '../texts.ts'

export const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const

/** The time zone of the visitor. */
export const HERE = Intl.DateTimeFormat().resolvedOptions().timeZone

export type Hours = NonNullable<Alert['hours']>[number]

/** The settings of a rule, which an update replaces as a whole. */
export const settingsOf = ({ id: _, created: __, ...settings }: Alert): AlertParameters => settings

/** Hours of the form. The days are those that are chosen. */
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
  const text = (name: string): string => String(form.get(name) ?? '').trim()
  const persons = (name: 'person_ids' | 'except_person_ids') => {
    const ids = text(name).split(', ').filter(Boolean).map(Number)
    return ids.length > 0 && { [name]: ids }
  }
  const times = hoursOf(hours)
  if (!times) return TEXTS.alert.hoursInvalid
  const cameras = form.getAll('cam_ids').map(String)
  const isTrue = (name: string) => (text(name) === '' ? {} : { [name]: text(name) === 'true' })
  return {
    name: text('name'),
    enabled: form.has('enabled'),
    url: text('url'),
    ...(form.has('browsers') && { browsers: true }),
    ...(form.has('pictures') && { pictures: true }),
    ...(text('format') !== '' && { format: text('format') as NonNullable<AlertParameters['format']> }),
    ...(cameras.length > 0 && { cam_ids: cameras }),
    ...persons('person_ids'),
    ...persons('except_person_ids'),
    ...(text('gallery') !== '' && { gallery: text('gallery') }),
    ...matchOf(text('match')),
    ...isTrue('unknown'),
    ...isTrue('friend'),
    ...(text('min_quality') !== '' && { min_quality: Number(text('min_quality')) }),
    ...(times.length > 0 && { hours: times }),
    time_zone: text('time_zone'),
    cooldown_seconds: Number(text('cooldown_seconds')),
  }
}

/** FPIR of matches for which the service says certain and probable. A test compares them with the contract. */
export const FPIRS = { certain: 0.001, probable: 0.01 } as const

/** The field of matches: a name of a parameter, and its value. */
const matchOf = (text: string): Pick<AlertParameters, 'threshold' | 'fpir'> => {
  const [name, value] = text.split(' ')
  return name === 'fpir' ? { fpir: Number(value) } : { threshold: Number(value) }
}

/** The field of the form that makes a rule useless: it has no receiver, or matches nobody. */
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
export const alertsToEverybody = ({ enabled, ...rule }: AlertParameters): boolean =>
  enabled === true && CONDITIONS.every(name => rule[name] === undefined)

const CONDITIONS = [
  'cam_ids',
  'person_ids',
  'except_person_ids',
  'gallery',
  'unknown',
  'friend',
  'min_quality',
  'hours',
] as const

/** What a list calls the subjects of conditions. Ids of cameras have no dashes. */
export interface Titles {
  camera: (id: string) => string
  person: (id: number) => string
  gallery: (name: string) => string
}

/** One line for each condition of a rule. */
export function conditionLines(rule: Alert, titles: Titles): string[] {
  const { cam_ids, person_ids, except_person_ids: except, gallery, unknown, friend, hours } = rule
  const { min_quality, time_zone, cooldown_seconds, pictures } = rule
  const texts = TEXTS.alerts
  const lines = [
    cam_ids && texts.cameras(cam_ids.map(titles.camera).join(', ')),
    person_ids && texts.persons(person_ids.map(titles.person).join(', ')),
    except && texts.except(except.map(titles.person).join(', ')),
    gallery !== undefined && (unknown ? texts.matchesNone : texts.matches)(titles.gallery(gallery)),
    gallery === undefined && unknown === true && texts.firstFace,
    gallery === undefined && unknown === false && texts.laterFace,
    friend === true && texts.friends,
    friend === false && texts.noFriends,
    min_quality !== undefined && texts.quality(min_quality),
    hours && texts.hours(hours.map(hoursText).join('; '), time_zone),
    cooldown_seconds > 0 && texts.cooldown(cooldown_seconds),
  ].filter(line => typeof line === 'string')
  return [...(lines.length > 0 ? lines : [texts.everything]), ...(pictures ? [texts.withPictures] : [])]
}

const hoursText = ({ days, from, to }: Hours): string =>
  `${days.map(day => TEXTS.alert.days[day]).join(' ')} ${formatClock(from)} – ${formatClock(to)}`

/** Host of a webhook. Its path can be a secret. */
export const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url)

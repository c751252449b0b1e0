/** Numbers and times in the visitor's locale, lines of values, and texts to compare. */
import type { AuditEntry } from '../clients/typescript/src/index.ts'
import { countText } from '../contract/counted.ts'

/** The English of the visitor: the texts are English, whatever the language of the browser. */
const LOCALE = navigator.languages?.find(language => language.startsWith('en')) ?? 'en-GB'

const COUNT = new Intl.NumberFormat(LOCALE)
const FRACTION_FORMAT = new Intl.NumberFormat(LOCALE, { minimumFractionDigits: 2, maximumFractionDigits: 2 })
const SHARE = new Intl.NumberFormat(LOCALE, { style: 'percent' })
const DATE = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'short' })
const SECOND = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'medium' })
const TIME = new Intl.DateTimeFormat(LOCALE, { timeStyle: 'short' })
const CLOCK = new Intl.DateTimeFormat(LOCALE, { timeStyle: 'short', timeZone: 'UTC' })
const DAY = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium' })

/** A whole number. */
export const formatCount = (count: number): string => COUNT.format(count)

/** A counted noun, for example `1 face`, `1,000 faces`, and with `people` as the plural `2 people`. */
export const formatCounted = (count: number, one: string, many?: string): string =>
  countText(count, one, many, formatCount(count))

/** A number from 0 to 1, with two decimals. Rounded down: 0.7833 does not read as a passed threshold of 0.7834. */
export const formatNumber = (value: number): string =>
  FRACTION_FORMAT.format(Math.floor(value * 100 + 1e-9) / 100)

/** A share from 0 to 1 in percent, rounded down: 100 % is everything. */
export const formatShare = (share: number): string => SHARE.format(Math.floor(share * 100 + 1e-9) / 100)
/** A time of the API, which is UTC without a zone. A text that is no time is returned as it is. */
export const formatDate = (timestamp: string): string => formatted(DATE, timestamp)

/** As `formatDate`, with seconds. */
export const formatSecond = (timestamp: string): string => formatted(SECOND, timestamp)

/** The day of a time of the API. */
export const formatDay = (timestamp: string): string => formatted(DAY, timestamp)

/** The time of day of a time of the API. */
export const formatTime = (timestamp: string): string => formatted(TIME, timestamp)

/** A time of day, for example "18:00", in any time zone. */
export const formatClock = (clock: string): string => formatted(CLOCK, `1970-01-01T${clock}`)

function formatted(format: Intl.DateTimeFormat, timestamp: string) {
  const time = new Date(/(?:Z|[+-]\d\d:?\d\d)$/.test(timestamp) ? timestamp : `${timestamp}Z`)
  return Number.isNaN(time.getTime()) ? timestamp : format.format(time)
}

/** A text without case and accents. */
export const foldText = (text: string): string =>
  text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()

/** Ids of a list that a line names. */
const MOST_NAMED = 5

/** The subject of an entry of the audit log: names, or values without one. Of a long list, the first values and their number. */
export const formatSubject = ({ subject, names = {} }: Pick<AuditEntry, 'subject' | 'names'>): string =>
  Object.entries(subject)
    .map(([key, value]) =>
      names[key] === undefined ? `${key} ${valueText(value)}` : `${key} “${names[key]}”`,
    )
    .join(', ')

function valueText(value: AuditEntry['subject'][string]) {
  if (!Array.isArray(value)) return String(value)
  const named = value.slice(0, MOST_NAMED).join(' ')
  return value.length > MOST_NAMED ? `${named} … (${value.length})` : named || '–'
}

/** The conditions of a rule that need only the face: cameras, persons, friend, quality and hours. Ignored persons meet no rule. */
import { type AlertConditions, DAYS, type Hours } from '../../../contract/model/alert.ts'
import type { StoredFace } from '../../metadata/faces/faces.ts'

/** Whether a face meets the conditions of cameras, persons, friend, quality and hours, and is not left out. */
export function meetsConditions(conditions: AlertConditions, face: StoredFace): boolean {
  const { cam_ids, person_ids, friend, min_quality = 0, hours, time_zone } = conditions
  if (isLeftOut(conditions, face)) return false
  if (cam_ids && !cam_ids.includes(face.camera ?? '')) return false
  if (person_ids && !person_ids.some(id => id === face.personId)) return false
  if (friend !== undefined && friend !== face.friend) return false
  if (qualityOf(face) < min_quality) return false
  return !hours || isWithin(hours, time_zone, face.timestamp)
}

/** Quality of a face as the service or the watcher measured it, 0..1. A face without a measured quality meets all rules. */
const qualityOf = ({ measuredQuality, quality, detectorInfo }: StoredFace) =>
  measuredQuality ?? quality?.quality ?? Number((detectorInfo as { quality?: unknown })?.quality ?? 1)

/** Whether the person of a face, or its candidate, is one to ignore, or an exception of the rule. */
export const isLeftOut = (
  { except_person_ids = [] }: AlertConditions,
  { personId, candidate, silent }: Pick<StoredFace, 'personId' | 'candidate' | 'silent'>,
): boolean => silent || except_person_ids.some(id => id === (personId ?? candidate))

/** Whether a time zone is known. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** Whether a time (microseconds since 1970) is in the hours of a time zone. */
export function isWithin(hours: readonly Hours[], timeZone: string, micros: number): boolean {
  const { day, time } = localTime(timeZone, micros)
  const dayBefore = DAYS[(DAYS.indexOf(day) + DAYS.length - 1) % DAYS.length]!
  return hours.some(({ days, from, to }) => {
    if (from < to) return days.includes(day) && from <= time && time < to
    return (days.includes(day) && from <= time) || (days.includes(dayBefore) && time < to)
  })
}

function localTime(timeZone: string, micros: number): { day: (typeof DAYS)[number]; time: string } {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(micros / 1000)
  const part = (type: string) => parts.find(one => one.type === type)?.value ?? ''
  const weekday = part('weekday').toLowerCase()
  return { day: DAYS.find(day => day === weekday) ?? 'mon', time: `${part('hour')}:${part('minute')}` }
}

/** Entries of the audit log as rows and as a file. */
import type { AuditEntry } from '../../clients/typescript/src/index.ts'
import { AUDIT_OBJECTS } from '../../contract/audit-objects.ts'
import { csvFile } from '../../contract/csv.ts'
import { entryText } from '../texts/audit.ts'
import { TEXTS } from '../texts.ts'

/** An entry, and the number of visits that its row stands for. */
interface AuditRow {
  entry: AuditEntry
  count: number
}

/** An enrolment by a camera without a named person, or its snapshot or clip. */
const isVisit = ({ action, subject: { camera, person } }: AuditEntry) =>
  action === 'face.footage' || (action === 'enrol' && camera !== undefined && person === undefined)

/** Whether two entries are visits of one camera. Entries about snapshots and clips name none. */
const isSameCamera = (one: AuditEntry, other: AuditEntry) =>
  isVisit(one) &&
  isVisit(other) &&
  one.actor === other.actor &&
  new Set([one, other].flatMap(({ subject: { camera } }) => camera ?? [])).size < 2

/** The rows of entries, which are newest first. Visits of one camera in a row are one row. */
export function rowsOf(entries: readonly AuditEntry[]): AuditRow[] {
  const rows: AuditRow[] = []
  for (const entry of entries) {
    const last = rows.at(-1)
    if (!last || !isSameCamera(last.entry, entry)) rows.push({ entry, count: 1 })
    else {
      // A snapshot or clip is no separate visit.
      if (last.entry.action === 'face.footage') last.entry = entry
      else if (entry.action !== 'face.footage') last.count++
    }
  }
  return rows
}

/** The newest entries as CSV, with times in UTC, and ids as the log has them. The last line says that older ones are left out. */
export const csvOf = (entries: readonly AuditEntry[], most: number): string =>
  csvFile(
    ['entry', 'time (UTC)', 'actor', 'action', 'text', 'subject', 'names'],
    [
      ...entries
        .slice(0, most)
        .map(({ seq, time, actor, action, subject, names = {} }) => [
          seq,
          `${time}Z`,
          actor,
          action,
          entryText(actor, action, names.actor),
          JSON.stringify(subject),
          JSON.stringify(names),
        ]),
      ...(entries.length > most ? [[TEXTS.audit.olderLeftOut]] : []),
    ],
  )

/** The actor of an entry, as the filter of the API takes it. */
export const actorOf = ({ actor }: AuditEntry): string => /^(?:user|token) \S+|^\S+/.exec(actor)?.[0] ?? ''

/** The object of an entry, as the filter of the API takes it. */
export function objectOf({ subject }: AuditEntry): string | undefined {
  const name = Object.keys(AUDIT_OBJECTS).find(
    one => !Array.isArray(subject[one]) && /^[\w-]{1,64}$/.test(String(subject[one] ?? '')),
  )
  return name && `${name} ${subject[name]}`
}

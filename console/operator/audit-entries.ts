/** Entries of the audit log as rows: repeated ones of one actor are one row; and as a file. */
import type { AuditEntry } from '../../clients/typescript/src/index.ts'
import { csvLine } from '../../contract/csv.ts'
import { formatSubject } from '../format.ts'
import { entryText } from '../texts/audit.ts'

/** An entry, and how many entries before it say the same. */
export interface AuditRow {
  entry: AuditEntry
  count: number
}

/** What entries have to share to be one row: visits of a camera, and searches. Undefined: the entry has its own row. */
function kindOf({ action, actor, subject }: AuditEntry): string | undefined {
  if (action === 'identify') return `${actor} ${action}`
  const isVisit = action === 'face.moment' || (action === 'enrol' && subject.camera !== undefined)
  return isVisit ? `${actor} visit` : undefined
}

/** The rows of entries, which are newest first. */
export function rowsOf(entries: readonly AuditEntry[]): AuditRow[] {
  const rows: AuditRow[] = []
  for (const entry of entries) {
    const last = rows.at(-1)
    const kind = kindOf(entry)
    if (!last || kind === undefined || kindOf(last.entry) !== kind) rows.push({ entry, count: 1 })
    else {
      // A snapshot or clip is no visit of its own.
      if (last.entry.action === 'face.moment') last.entry = entry
      else if (entry.action !== 'face.moment') last.count++
    }
  }
  return rows
}

/** The entries as CSV, with times in UTC. */
export const csvOf = (entries: readonly AuditEntry[]): string =>
  [
    csvLine(['entry', 'time (UTC)', 'actor', 'action', 'text', 'details']),
    ...entries.map(({ seq, time, actor, action, subject, names }) =>
      csvLine([
        seq,
        `${time}Z`,
        actor,
        action,
        entryText(actor, action, names?.actor),
        formatSubject({ subject, names }),
      ]),
    ),
  ].join('')

/** Words of subjects that name one object each. */
const OBJECTS = ['person', 'camera', 'face', 'user', 'token', 'alert', 'gallery']

/** The object of an entry, as the filter of the API takes it. */
export function objectOf({ subject }: AuditEntry): string | undefined {
  const name = OBJECTS.find(
    one => !Array.isArray(subject[one]) && /^[\w-]{1,64}$/.test(String(subject[one] ?? '')),
  )
  return name && `${name} ${subject[name]}`
}

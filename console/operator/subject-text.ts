/** The subject of an entry of the audit log as a line. */
import type { AuditEntry } from '../../clients/typescript/src/index.ts'

/** Ids of a list that a line names. */
const NAMED = 5

/** Names and values. Of a long list, the first values and their number. */
export const subjectText = (subject: AuditEntry['subject']): string =>
  Object.entries(subject)
    .map(([name, value]) => `${name} ${valueText(value)}`)
    .join(', ')

function valueText(value: AuditEntry['subject'][string]): string {
  if (!Array.isArray(value)) return String(value)
  const named = value.slice(0, NAMED).join(' ')
  return value.length > NAMED ? `${named} … (${value.length})` : named || '–'
}

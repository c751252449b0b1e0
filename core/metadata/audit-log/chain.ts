/** The chain of the audit log: how an entry's hash is made of it and of the hash before it, and what breaks the chain. */
import { createHash } from 'node:crypto'
import { LIMITS } from '../../contract/limits.ts'
import type { audit } from '../schema.ts'

export type AuditEntry = typeof audit.$inferSelect

/** Ids, counts and words of ours: never what callers wrote, nothing of a photo, no name of a gallery, a camera or an owner. */
export type Subject = Readonly<Record<string, string | number | boolean | readonly number[] | undefined>>

/** What is to be written down. */
export interface AuditEvent {
  /** `token <id>`, `operator <account>` or `service`. */
  actor: string
  action: string
  /** Whose things it was about; absent where no owner's were. */
  owner?: string | undefined
  subject?: Subject
}

/** The entries that tell that faces were deleted, for each owner and with at most LIMITS.auditIds ids in each. */
export function deletionsOf(
  faces: readonly { id: number; owner: string }[],
  { actor, because }: { actor: string; because: string },
): AuditEvent[] {
  return [...Map.groupBy(faces, face => face.owner)].flatMap(([owner, theirs]) =>
    idLists(theirs.map(({ id }) => id)).map(ids => ({
      actor,
      action: 'faces.delete',
      owner,
      subject: { because, faces: ids },
    })),
  )
}

/** Ids in parts that one entry may list; one part, empty, where there are none. */
export function idLists(ids: readonly number[]): number[][] {
  const count = Math.max(1, Math.ceil(ids.length / LIMITS.auditIds))
  return Array.from({ length: count }, (_, i) => ids.slice(i * LIMITS.auditIds, (i + 1) * LIMITS.auditIds))
}

/** The place in the chain that the next entry follows. */
export type Link = Pick<AuditEntry, 'seq' | 'hash'>

/** Before the first entry. */
export const BEGINNING: Link = { seq: 0, hash: '0'.repeat(64) }

/** The subject of the entry that says what was pruned: the link that the oldest entry left follows. */
export const PRUNED = 'audit.prune'

/** The entries of these happenings, as they follow a link. Time is in microseconds, and never runs back. */
export function chained(
  last: Link & { time?: number },
  happenings: readonly AuditEvent[],
  now: number,
): AuditEntry[] {
  const time = Math.max(now, last.time ?? 0)
  let before: Link = last
  return happenings.map(({ actor, action, owner = null, subject = {} }) => {
    const entry = { seq: before.seq + 1, time, actor, owner, action, subject: JSON.stringify(subject) }
    const whole = { ...entry, hash: hashOf(before.hash, entry) }
    before = whole
    return whole
  })
}

/** SHA-256 over the hash before it and every column, as JSON: no two entries are written alike. */
export const hashOf = (
  before: string,
  { seq, time, actor, owner, action, subject }: Omit<AuditEntry, 'hash'>,
): string =>
  createHash('sha256')
    .update(JSON.stringify([before, seq, time, actor, owner, action, subject]))
    .digest('hex')

/** What is wrong with an entry that should follow this link; undefined when it does. */
export function faultAfter(before: Link, entry: AuditEntry): string | undefined {
  if (entry.seq !== before.seq + 1)
    return `entry ${before.seq + 1} is missing: ${entry.seq} comes after ${before.seq}`
  if (entry.hash !== hashOf(before.hash, entry)) return `entry ${entry.seq} is not as it was written`
  return undefined
}

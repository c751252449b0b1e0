/** The hash chain of the audit log: how entries are hashed, and what breaks the chain. */
import { hash } from 'node:crypto'
import { STORE_LIMITS } from '../../../contract/limits/store.ts'
import type { audit } from '../schema.ts'

export type AuditEntry = typeof audit.$inferSelect

/**
 * Details of an entry: ids, counts and fixed words. Contains no caller text, no photo data, and no name of a gallery, a
 * camera or an owner.
 */
export type Subject = Readonly<Record<string, string | number | boolean | readonly number[] | undefined>>

/** An action to record in the audit log. */
export interface AuditEvent {
  /** `token <id>`, `user <id> <name>`, `operator <account>` or `service`. */
  actor: string
  action: string
  /** The owner whose data the action concerns; absent when it concerns no owner. */
  owner?: string
  subject?: Subject
}

/** Audit events for deleted faces: per owner, with at most STORE_LIMITS.auditIds ids each. */
export function deletionsOf(
  faces: readonly { id: number; owner: string }[],
  { actor, because }: { actor: string; because: string },
): AuditEvent[] {
  return [...Map.groupBy(faces, face => face.owner)].flatMap(([owner, facesOfOwner]) =>
    idLists(facesOfOwner.map(({ id }) => id)).map(ids => ({
      actor,
      action: 'faces.delete',
      owner,
      subject: { because, faces: ids },
    })),
  )
}

/** Splits ids into lists of at most STORE_LIMITS.auditIds. An empty input gives one empty list. */
export function idLists(ids: readonly number[]): number[][] {
  const count = Math.max(1, Math.ceil(ids.length / STORE_LIMITS.auditIds))
  return Array.from({ length: count }, (_, i) =>
    ids.slice(i * STORE_LIMITS.auditIds, (i + 1) * STORE_LIMITS.auditIds),
  )
}

/** A position in the chain: the next entry follows it. */
export type Link = Pick<AuditEntry, 'seq' | 'hash'>

/** The link before the first entry. */
export const CHAIN_START: Link = { seq: 0, hash: '0'.repeat(64) }

/** Action of the entry that records a pruning. Its subject holds the link that the oldest remaining entry follows. */
export const PRUNE = 'audit.prune'

/**
 * The entries of these events, chained after `last`. `now` and the times of entries are microseconds since 1970. They are later
 * than `last`, also after a clock that was ahead.
 */
export function chainEntries(
  last: Link & { time?: number },
  events: readonly AuditEvent[],
  now: number,
): AuditEntry[] {
  const time = Math.max(now, (last.time ?? 0) + 1)
  let before: Link = last
  return events.map(({ actor, action, owner = null, subject = {} }) => {
    const entry = { seq: before.seq + 1, time, actor, owner, action, subject: JSON.stringify(subject) }
    const chainedEntry = { ...entry, hash: hashOf(before.hash, entry) }
    before = chainedEntry
    return chainedEntry
  })
}

/** SHA-256 over the previous hash and every column, as a JSON array. Different entries have different encodings. */
export const hashOf = (
  before: string,
  { seq, time, actor, owner, action, subject }: Omit<AuditEntry, 'hash'>,
): string => hash('sha256', JSON.stringify([before, seq, time, actor, owner, action, subject]))

/** Why an entry cannot follow this link; undefined when it can. */
export function faultAfter(before: Link, entry: AuditEntry): string | undefined {
  if (entry.seq !== before.seq + 1)
    return `entry ${before.seq + 1} is missing: ${entry.seq} comes after ${before.seq}`
  if (entry.hash !== hashOf(before.hash, entry)) return `entry ${entry.seq} is not as it was written`
  return undefined
}

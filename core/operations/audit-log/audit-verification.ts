/** The audit log through the API: entries of an owner, and a verification of the whole chain in steps. */
import { STORE_LIMITS } from '../../../contract/limits/store.ts'
import type { AuditVerification } from '../../../contract/model/audit-log.ts'
import type { RpcRequest, RpcResponse } from '../../../contract/operations/messages.ts'
import { timestampText } from '../../../contract/timestamps.ts'
import type { Link } from '../../metadata/audit-log/chain.ts'
import { entriesOf, lastEntry } from '../../metadata/audit-log/entries.ts'
import { verifyNext } from '../../metadata/audit-log/verification.ts'
import type { Metadata, Services } from '../services.ts'
import { withNames } from './audit-names.ts'

/** Entries of the owner, newest first. The account of an operator is not in the response. */
export async function auditPage(
  { database }: Metadata,
  { owner, maxSeq = Number.MAX_SAFE_INTEGER, limit, ...filter }: RpcRequest<'audit.page'>,
): Promise<RpcResponse<'audit.page'>> {
  const entries = await entriesOf(database, filter, { owner, below: maxSeq, limit: limit + 1 })
  const shown = entries.slice(0, limit).map(({ seq, time, actor, action, subject }) => ({
    seq,
    time: timestampText(time),
    actor: actor.startsWith('operator ') ? 'operator' : actor,
    action,
    subject: JSON.parse(subject),
  }))
  return { entries: await withNames(database, owner, shown), older: entries.length > limit }
}

/** A pass over the log, from its oldest entry to its newest. */
interface Pass {
  /** Unix milliseconds. */
  since: number
  from: number
  head: Link | undefined
  fault: string | undefined
}

/**
 * Verifies `limit` further entries with each call, one call at a time. A pass starts over when it is complete and older than
 * STORE_LIMITS.auditVerifiedMs. Each core verifies for itself.
 */
export function auditVerifier(
  { database, now }: Pick<Services, 'database' | 'now'>,
  limit: number = STORE_LIMITS.auditVerified,
): () => Promise<AuditVerification> {
  let pass: Pass | undefined
  let running: Promise<AuditVerification> | undefined

  const verify = async (): Promise<AuditVerification> => {
    const last = (await lastEntry(database))?.seq ?? 0
    const isOld = pass && now() - pass.since > STORE_LIMITS.auditVerifiedMs
    if (!pass || (isOld && (pass.fault !== undefined || (pass.head?.seq ?? 0) >= last)))
      pass = { since: now(), from: 0, head: undefined, fault: undefined }
    if (pass.fault === undefined) {
      const { head, fault, entries } = await verifyNext(database, pass.head, limit)
      if (pass.head === undefined && entries > 0) pass.from = head.seq - entries + 1
      if (entries > 0) pass.head = head
      pass.fault = fault
    }
    const verifiedTo = pass.head?.seq ?? 0
    return {
      intact: pass.fault === undefined,
      verified_from: pass.from,
      verified_to: verifiedTo,
      last: Math.max(last, verifiedTo),
      since: timestampText(pass.since * 1000),
      fault: pass.fault,
    }
  }
  return () => {
    running ??= verify().finally(() => {
      running = undefined
    })
    return running
  }
}

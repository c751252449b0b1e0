/** Shows, verifies, exports and prunes the audit log, also while the service runs. */
import { countText } from '../../contract/counted.ts'
import { parseTimestamp } from '../../contract/timestamps.ts'
import { CHAIN_START, type Link } from '../../core/metadata/audit-log/chain.ts'
import { auditEntries, operator, prune } from '../../core/metadata/audit-log/entries.ts'
import { exportAudit } from '../../core/metadata/audit-log/file.ts'
import { verifyAudit } from '../../core/metadata/audit-log/verification.ts'
import type { Database } from '../../core/metadata/database.ts'
import { type GlobalOptions, printJsonArray, UsageError } from '../terminal/command-line.ts'
import { withMetadata } from '../terminal/data-folder.ts'
import { pathOf } from '../terminal/paths.ts'
import { isoTime } from '../terminal/times.ts'

interface EntriesOptions extends GlobalOptions {
  since?: string
  face?: number
  owner?: string
  json?: boolean
}

export interface VerifyOptions extends GlobalOptions {
  from?: string
}

interface PruneOptions extends GlobalOptions {
  before: string
}

export const list = (options: EntriesOptions): Promise<number> =>
  withMetadata(options, async ({ database }) => {
    const entries = chosenEntries(database, options)
    if (options.json) await printJsonArray(entries)
    else for await (const entry of entries) console.log(JSON.stringify(entry))
    return 0
  })

export const verify = (options: VerifyOptions): Promise<number> =>
  withMetadata(options, async ({ database }) => {
    const from = options.from === undefined ? undefined : linkOf(options.from)
    const { entries, head, fault } = await verifyAudit(database, from)
    if (fault === undefined)
      console.log(
        `${entries === 1 ? '' : 'All '}${countText(entries, 'entry is as it was', 'entries are as they were')} written. ${headText(head)}`,
      )
    else console.error(`The log was changed: ${fault}. It is intact up to ${headText(head)}.`)
    return fault === undefined ? 0 : 1
  })

export const head = (options: GlobalOptions): Promise<number> =>
  withMetadata(options, async ({ database }) => {
    const { head: newest, fault } = await verifyAudit(database)
    if (fault !== undefined) throw new Error(`The log was changed: ${fault}.`)
    console.log(headText(newest))
    return 0
  })

const exportLog = (options: GlobalOptions, file: string) =>
  withMetadata(options, async ({ database }) => {
    const { added, head: newest } = await exportAudit(database, pathOf(file))
    console.log(`${countText(added, 'entry is', 'entries are')} added to ${file}. ${headText(newest)}`)
    return 0
  })

const pruneLog = (options: PruneOptions) =>
  withMetadata(options, async ({ database }) => {
    const { fault } = await verifyAudit(database)
    if (fault !== undefined) throw new Error(`The log was changed: ${fault}. Nothing is pruned.`)
    const last = await prune(database, microsOf(options.before, '--before') / 1000, operator())
    console.log(last === undefined ? 'Nothing is that old.' : `The entries up to ${last} are gone.`)
    return 0
  })

export { exportLog as export, pruneLog as prune }

/** Yields the selected entries one by one: the log may not fit into memory. */
async function* chosenEntries(database: Database, { since, face, owner }: EntriesOptions) {
  const from = since === undefined ? 0 : microsOf(since, '--since')
  for await (const { time, subject, ...entry } of auditEntries(database)) {
    const details = JSON.parse(subject) as { face?: number; faces?: number[] }
    const isSelected =
      time >= from &&
      (owner === undefined || entry.owner === owner) &&
      (face === undefined || details.face === face || details.faces?.includes(face))
    if (isSelected) yield { ...entry, time: isoTime(time), subject: details }
  }
}

const headText = ({ seq, hash }: Link) => `${seq}:${hash}`

function linkOf(text: string): Link {
  const [, seq, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? []
  if (hash === undefined)
    throw new UsageError(`--from takes the output of head, such as ${headText(CHAIN_START)}.`)
  return { seq: Number(seq), hash }
}

function microsOf(text: string, option: string) {
  const micros = parseTimestamp(text)
  if (micros === undefined)
    throw new UsageError(`${option} takes a day or time such as 2026-11-20, not "${text}".`)
  return micros
}

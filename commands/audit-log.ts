/** `npm run audit-log`: shows, checks and prunes the log of who changed what, also while the service runs. */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { parseTimestamp, timestampText } from '../core/contract/timestamps.ts'
import { auditEntries, prune } from '../core/metadata/audit.ts'
import { BEGINNING, type Link } from '../core/metadata/audit-chain.ts'
import { verifyAudit } from '../core/metadata/audit-verify.ts'
import { closeDatabase, type Database, openDatabase } from '../core/metadata/database.ts'
import { operator } from '../core/metadata/operations.ts'
import { metadataOf } from './metadata.ts'
import { Misused, runCommand } from './misused.ts'
import { dataFolder } from './paths.ts'

const USAGE = `npm run audit-log -- list [--since TIME] [--face ID] [--owner ID]   entries, as lines of JSON
npm run audit-log -- verify [--from HEAD]                           is the log as it was written?
npm run audit-log -- head                                           its newest entry, to be kept elsewhere
npm run audit-log -- prune --before TIME                            delete what is older

  --since, --before TIME   a day or a time of ISO 8601 (UTC), such as 2026-11-20
  --from HEAD              what head printed at an earlier time
  --data DIR               data folder   MIEN_DATA   (./data of the project)`

const ROOT = resolve(import.meta.dirname, '..')

const OPTIONS = {
  data: { type: 'string' },
  since: { type: 'string' },
  before: { type: 'string' },
  from: { type: 'string' },
  face: { type: 'string' },
  owner: { type: 'string' },
} as const

type Values = ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>['values']

/** Each does its work and answers with the process's exit code. */
const COMMANDS: Record<string, (database: Database, values: Values) => Promise<number>> = {
  async list(database, { since, face, owner }) {
    const from = since === undefined ? 0 : microsOf(since, '--since')
    for await (const { time, subject, ...entry } of auditEntries(database)) {
      const told = JSON.parse(subject) as { face?: number; faces?: number[] }
      const isMeant =
        time >= from &&
        (owner === undefined || entry.owner === owner) &&
        (face === undefined || told.face === Number(face) || told.faces?.includes(Number(face)))
      if (isMeant) console.log(JSON.stringify({ ...entry, time: timestampText(time), subject: told }))
    }
    return 0
  },

  async verify(database, { from }) {
    const { entries, head, fault } = await verifyAudit(
      database,
      from === undefined ? undefined : linkOf(from),
    )
    if (fault === undefined) console.log(`All ${entries} entries are as they were written. ${headText(head)}`)
    else console.error(`The log was changed: ${fault}. Up to ${headText(head)} it is right.`)
    return fault === undefined ? 0 : 1
  },

  async head(database) {
    const { head, fault } = await verifyAudit(database)
    if (fault !== undefined) throw new Error(`The log was changed: ${fault}.`)
    console.log(headText(head))
    return 0
  },

  async prune(database, { before }) {
    if (before === undefined) throw new Misused('prune needs --before TIME.')
    const { fault } = await verifyAudit(database)
    if (fault !== undefined) throw new Error(`The log was changed: ${fault}. Nothing is pruned.`)
    const last = await prune(database, microsOf(before, '--before') / 1000, operator())
    console.log(last === undefined ? 'Nothing is that old.' : `The entries up to ${last} are gone.`)
    return 0
  },
}

const headText = ({ seq, hash }: Link): string => `${seq}:${hash}`

function linkOf(text: string): Link {
  const [, seq, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? []
  if (hash === undefined) throw new Misused(`--from takes what head prints, such as ${headText(BEGINNING)}.`)
  return { seq: Number(seq), hash }
}

function microsOf(text: string, option: string): number {
  const micros = parseTimestamp(text)
  if (micros === undefined)
    throw new Misused(`${option} takes a day or time such as 2026-11-20, not "${text}".`)
  return micros
}

await runCommand(USAGE, async () => {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: OPTIONS })
  const [command = ''] = positionals
  const perform = COMMANDS[command]
  if (!perform)
    throw new Misused(command === '' ? 'What is to be done?' : `There is no command "${command}".`)
  const data = dataFolder(values.data, ROOT)
  const database = await openDatabase(data, await metadataOf(data))
  try {
    return await perform(database, values)
  } finally {
    await closeDatabase(database)
  }
})

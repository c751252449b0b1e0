/** `npm run audit-log`: shows, verifies, exports and prunes the audit log, also while the service runs. */
import { resolve } from 'node:path'
import { parseTimestamp } from '../core/contract/timestamps.ts'
import { BEGINNING, type Link } from '../core/metadata/audit-log/chain.ts'
import { auditEntries, prune } from '../core/metadata/audit-log/entries.ts'
import { exportAudit } from '../core/metadata/audit-log/file.ts'
import { operator } from '../core/metadata/audit-log/operator-entries.ts'
import { verifyAudit } from '../core/metadata/audit-log/verify.ts'
import { closeDatabase, type Database, openDatabase } from '../core/metadata/database.ts'
import { type Arguments, printJsonArray, runCommand } from './terminal/command-line.ts'
import { metadataIn } from './terminal/metadata.ts'
import { dataFolder, pathOf } from './terminal/paths.ts'
import { isoTime } from './terminal/times.ts'
import { UsageError } from './terminal/usage-error.ts'

const USAGE = `npm run audit-log -- COMMAND [options]

Shows, verifies and prunes the log of changes, also while the service runs.

Commands:
  list                 Print the entries, one line of JSON each.
  verify               Check that no entry was changed or removed.
  head                 Print the newest entry's number and hash. Keep it
                       elsewhere, for verify --from.
  export FILE          Write the log to a file, or append what is new. A restore
                       replays its deletions.
  prune --before TIME  Delete older entries.

Options:
  --since TIME   list: entries from this time on
  --face ID      list: entries about this face
  --owner ID     list: entries about this owner
  --json         list: print one JSON array instead of lines
  --from HEAD    verify: the output of an earlier head
  --before TIME  prune: a day or time of ISO 8601 (UTC), such as 2026-11-20
  --data DIR     data folder (MIEN_DATA; default: data in the project)
  -h, --help     print this help

Examples:
  npm run audit-log -- list --since 2026-11-01
  npm run audit-log -- verify
  npm run audit-log -- head
  npm run audit-log -- export /backups/audit.jsonl
  npm run audit-log -- prune --before 2025-11-01`

const ROOT = resolve(import.meta.dirname, '..')

const OPTIONS = {
  data: { type: 'string' },
  since: { type: 'string' },
  before: { type: 'string' },
  from: { type: 'string' },
  face: { type: 'string' },
  owner: { type: 'string' },
  json: { type: 'boolean', default: false },
} as const

const ACTIONS = {
  list: { options: ['since', 'face', 'owner', 'json'] },
  verify: { options: ['from'] },
  head: {},
  export: { most: 1, missing: 'export needs a FILE.' },
  prune: { options: ['before'] },
}

type Values = Arguments<typeof OPTIONS>['values'] & { file: string }

/** Runs a command and returns the process's exit code. */
const COMMANDS: Record<keyof typeof ACTIONS, (database: Database, values: Values) => Promise<number>> = {
  async list(database, values) {
    const entries = chosenEntries(database, values)
    if (values.json) await printJsonArray(entries)
    else for await (const entry of entries) console.log(JSON.stringify(entry))
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

  async export(database, { file }) {
    const { added, head } = await exportAudit(database, pathOf(file))
    console.log(`${added} entries are added to ${file}. ${headText(head)}`)
    return 0
  },

  async prune(database, { before }) {
    if (before === undefined) throw new UsageError('prune needs --before TIME.')
    const { fault } = await verifyAudit(database)
    if (fault !== undefined) throw new Error(`The log was changed: ${fault}. Nothing is pruned.`)
    const last = await prune(database, microsOf(before, '--before') / 1000, operator())
    console.log(last === undefined ? 'Nothing is that old.' : `The entries up to ${last} are gone.`)
    return 0
  },
}

/** Yields the selected entries one by one: the log may not fit into memory. */
async function* chosenEntries(database: Database, { since, face, owner }: Values) {
  const from = since === undefined ? 0 : microsOf(since, '--since')
  for await (const { time, subject, ...entry } of auditEntries(database)) {
    const details = JSON.parse(subject) as { face?: number; faces?: number[] }
    const isSelected =
      time >= from &&
      (owner === undefined || entry.owner === owner) &&
      (face === undefined || details.face === Number(face) || details.faces?.includes(Number(face)))
    if (isSelected) yield { ...entry, time: isoTime(time), subject: details }
  }
}

const headText = ({ seq, hash }: Link): string => `${seq}:${hash}`

function linkOf(text: string): Link {
  const [, seq, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? []
  if (hash === undefined)
    throw new UsageError(`--from takes what head prints, such as ${headText(BEGINNING)}.`)
  return { seq: Number(seq), hash }
}

function microsOf(text: string, option: string): number {
  const micros = parseTimestamp(text)
  if (micros === undefined)
    throw new UsageError(`${option} takes a day or time such as 2026-11-20, not "${text}".`)
  return micros
}

await runCommand({ usage: USAGE, options: OPTIONS, actions: ACTIONS }, async ({ action, args, values }) => {
  const data = dataFolder(values.data, ROOT)
  const database = await openDatabase(data, await metadataIn(data))
  try {
    return await COMMANDS[action](database, { ...values, file: args[0] ?? '' })
  } finally {
    await closeDatabase(database)
  }
})

/** `mien backup`: makes a backup, repeats it at an interval with drills between, and lists and drills a repository. */

import { existsSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { countText } from '../../contract/counted.ts'
import { BackupRefused } from '../../core/backup/contents.ts'
import { DRILL_FOLDER } from '../../core/backup/leftovers.ts'
import { drill } from '../../core/backup/repository/drill.ts'
import { backUpTo } from '../../core/backup/repository/incremental-backup.ts'
import { KEEP_DEFAULT, type KeepRule, keepRule } from '../../core/backup/repository/prune.ts'
import { newestUntil } from '../../core/backup/repository/restore.ts'
import {
  BACKUP_COMPLETED,
  BACKUP_FAILED,
  BACKUP_STARTED,
  DRILL_COMPLETED,
  endNow,
  type Operation,
  writeOperation,
} from '../../core/metadata/audit-log/entries.ts'
import { embedderIn } from '../store/open.ts'
import {
  makeRepository,
  megabytes,
  openRepository,
  openSource,
  requireAddress,
} from '../store/open-backup.ts'
import {
  type GlobalOptions,
  type JsonOptions,
  printJson,
  stopOnSignal,
  UsageError,
} from '../terminal/command-line.ts'
import { givenKey, metadataOf } from '../terminal/data-folder.ts'
import { dataFolder, pathOf } from '../terminal/paths.ts'
import { printTable } from '../terminal/table.ts'
import { durationMs } from '../terminal/times.ts'
import { follow, repeat } from './follow.ts'

export interface BackUpOptions extends GlobalOptions {
  to?: string
  every?: string
  keep?: string
  drill?: string
  follow?: true
  /** Whether backups have snapshots and clips. */
  clips?: true
}

type Given = BackUpOptions & { to: string }

/** Bounds of intervals, in milliseconds. A timer of Node takes at most 24.8 days. */
const LEAST_MS = 60_000
const MOST_MS = 24 * 86_400_000

export async function runBackup(given: Given): Promise<number> {
  const keep = keepRule(given.keep ?? KEEP_DEFAULT)
  if (!keep) throw new UsageError(`--keep takes a rule such as ${KEEP_DEFAULT}, not "${given.keep}".`)
  const everyMs = interval(given.every, '--every')
  const drillMs = interval(given.drill, '--drill')
  if (drillMs !== undefined && everyMs === undefined) throw new UsageError('--drill belongs to --every.')
  if (given.follow && (everyMs ?? drillMs) !== undefined)
    throw new UsageError('--follow takes the interval from the settings: leave out --every and --drill.')
  // A wrong address is no failed backup.
  await requireAddress(given.to)
  // Requests of the service come first. A sandbox that forbids this sets the priority itself (mien-backup.service).
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {}
  const once = () => recorded(given, keep)
  if (given.follow) {
    await followSettings(given, once)
    return 0
  }
  if (everyMs === undefined) {
    await once()
    return 0
  }
  const stop = stopOnSignal()
  // A failed drill is repeated after the next backup.
  const drillOnce = async () => {
    if ((await runDrill(given, given.to, stop)) !== 0) throw new Error('The drill found faults.')
  }
  await repeat(
    [
      { everyMs, work: once },
      ...(drillMs === undefined
        ? []
        : [{ everyMs: drillMs, againMs: Math.min(everyMs, drillMs), work: drillOnce }]),
    ],
    { signal: stop.signal, onError: error => console.error(messageOf(error)) },
  )
  return 0
}

/** Makes backups as the service says, until a signal. Throws at once when the data folder cannot be backed up. */
async function followSettings(given: Given, once: () => Promise<void>) {
  const { data, pictures } = await openSource(given.data)
  pictures.close()
  const stop = stopOnSignal()
  // `mien start --backup-to` waits for the message. When it ends, the backups end.
  process.once('disconnect', () => stop.abort())
  process.send?.({ ready: true, port: 0 })
  const backups = { make: once, newest: () => newestIn(given.to) }
  await follow(data, backups, { signal: stop.signal, onError: error => console.error(messageOf(error)) })
  if (process.connected) process.disconnect()
}

async function newestIn(name: string): Promise<number | undefined> {
  const repository = await makeRepository(name)
  try {
    const newest = newestUntil((await repository.inventory()).backups)
    return newest === undefined ? undefined : Date.parse(newest)
  } finally {
    repository.close()
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

function interval(text: string | undefined, option: string): number | undefined {
  if (text === undefined) return undefined
  const ms = durationMs(text, option)
  if (ms < LEAST_MS || ms > MOST_MS)
    throw new UsageError(`${option} takes a time from 1m to 24d, not "${text}".`)
  return ms
}

/** Makes one backup, and records its start and its outcome in the audit log. */
async function recorded(given: Given, keep: KeepRule) {
  const data = dataFolder(given.data)
  const source = await openSource(given.data)
  const record = async (operation: Operation) => writeOperation(data, operation, await metadataOf(data))
  await record({ action: BACKUP_STARTED })
  try {
    await backUpOnce(given, source, keep)
  } catch (error) {
    // A full disk refuses the record, too. The first error counts.
    await record(endNow(BACKUP_FAILED)).catch(() => {})
    throw error
  } finally {
    source.pictures.close()
  }
  await record(endNow(BACKUP_COMPLETED))
}

async function backUpOnce(
  { to, clips }: Given,
  { data, dataKey, pictures }: Awaited<ReturnType<typeof openSource>>,
  keep: KeepRule,
) {
  const repository = await makeRepository(to)
  try {
    const { record, pruned } = await backUpTo({
      data,
      repository,
      dataKey,
      pictures,
      keep,
      embedder: await embedderIn(data),
      footage: clips,
      now: Date.now(),
    })
    const { made, faces, bytes, added } = record
    console.log(
      `${made}: ${countText(faces, 'face')}, ${megabytes(bytes)} MB. ${megabytes(added)} MB were added to ${repository.place.name}.`,
    )
    if (pruned.backups > 0)
      console.log(`${countText(pruned.backups, 'old backup is', 'old backups are')} removed.`)
    if (pruned.future.length > 0)
      console.error(
        `Nothing is removed: the backup of ${pruned.future.at(-1)} is later than the clock. If the clock is right, delete its file in backups/.`,
      )
    for (const message of pruned.damaged)
      console.error(
        `Nothing is removed: ${message} Any piece may belong to it. Delete the file, and the next backup removes what no other backup needs.`,
      )
  } finally {
    repository.close()
  }
}

/** Returns 1 after naming damaged records. */
async function listBackups(given: JsonOptions, name: string): Promise<number> {
  const repository = await openRepository(name)
  try {
    const rows = []
    const damaged: string[] = []
    for await (const one of repository.readRecords((await repository.inventory()).backups)) {
      if (typeof one === 'string') {
        damaged.push(one)
        continue
      }
      const { made, faces, bytes, added, encryption } = one
      rows.push({ made, faces, bytes, added, key: encryption?.operatorKey ?? null })
    }
    if (given.json) printJson(rows)
    else
      printTable(
        rows.map(({ made, faces, bytes, added, key }) => ({
          made,
          faces,
          MB: megabytes(bytes),
          'MB added': megabytes(added),
          key: key ?? '',
        })),
        damaged.length > 0 ? 'No backup can be read.' : 'There is no backup yet.',
      )
    for (const message of damaged) console.error(message)
    return damaged.length > 0 ? 1 : 0
  } finally {
    repository.close()
  }
}

/** Returns 1 after printing what differs. Throws BackupRefused for a damaged backup, and when nothing could be compared. */
async function runDrill(
  given: GlobalOptions & { in?: string },
  name: string,
  { signal } = stopOnSignal(),
): Promise<number> {
  const source = await openSource(given.data)
  const folder = given.in === undefined ? join(source.data, DRILL_FOLDER) : pathOf(given.in)
  if (given.in !== undefined && existsSync(folder))
    throw new BackupRefused(`${folder} exists already: name a folder that does not exist.`)
  const repository = await openRepository(name)
  try {
    const { record, compared, faults } = await drill({
      ...source,
      repository,
      operatorKey: source.dataKey && (await givenKey()),
      folder,
      signal,
      onStep: step => console.error(step),
    })
    for (const fault of faults) console.error(fault)
    const { live, faces, vectors, pictures } = compared
    console.log(
      `${record.made}: the backup was restored and verified. ${faces} of the ${countText(live, 'face')} in ${source.data} ${faces === 1 ? 'is' : 'are'} in it, and ` +
        `${countText(vectors, 'vector')} and ${countText(pictures, 'sampled picture')} were compared: ${faults.length === 0 ? 'no fault' : countText(faults.length, 'fault')}.`,
    )
    if (faults.length > 0) return 1
    if (faces === 0)
      throw new BackupRefused(
        'Nothing was compared, so the drill has not succeeded: the backup holds none of the faces. Repeat it after a backup with faces.',
      )
    await writeOperation(source.data, endNow(DRILL_COMPLETED), await metadataOf(source.data))
    return 0
  } finally {
    repository.close()
    source.pictures.close()
  }
}

export { listBackups as list, runDrill as drill }

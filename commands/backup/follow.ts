/** `mien backup --follow`: backups as the settings of the service say, and when a user asks for one in the console. */
import { setTimeout as sleep } from 'node:timers/promises'
import { backupTimes } from '../../core/metadata/audit-log/entries.ts'
import { closeDatabase, openDatabase } from '../../core/metadata/database.ts'
import { settingReader } from '../administration/settings.ts'
import { metadataOf } from '../terminal/data-folder.ts'

/** Pause between two looks at requests and settings, and after a failure, in milliseconds. */
const POLL_MS = 2_000
const RETRY_PAUSE_MS = 10_000

/** Pause before a backup that failed is repeated without a request, in milliseconds. */
const AGAIN_MS = 300_000

const HOUR_MICROS = 3_600_000_000

/** All times are microseconds since 1970. */
interface Due {
  /** Hours between two backups; 0: only on request. */
  hours: number
  /** When a user asked for a backup last. */
  requested: number | undefined
  /** The request that the last attempt has served. */
  served: number
  /** Start of the newest backup in the repository: backups to other places do not count. */
  made: number
  now: number
}

/** Why a backup is due; undefined when none is. A backup in the future was written by another clock, and does not count. */
export function reasonOf({
  hours,
  requested = 0,
  served,
  made,
  now,
}: Due): 'request' | 'schedule' | undefined {
  const last = made > now ? 0 : made
  if (requested > Math.max(last, served)) return 'request'
  return hours > 0 && now - last >= hours * HOUR_MICROS ? 'schedule' : undefined
}

interface Backups {
  /** Makes a backup, and records its start and its outcome in the audit log. */
  make(): Promise<void>
  /** Start of the newest backup in the repository, Unix milliseconds; undefined without one. */
  newest(): Promise<number | undefined>
}

/** Makes each due backup of the data folder, until the signal. */
export async function follow(
  data: string,
  { make, newest }: Backups,
  { signal, onError }: { signal: AbortSignal; onError(error: unknown): void },
): Promise<void> {
  const hours = await settingReader(data, 'backup_hours')
  const database = await openDatabase(data, await metadataOf(data))
  let [served, made, restUntil] = [0, 0, 0]
  const look = async () => {
    const { requested } = await backupTimes(database)
    const times = { requested, hours: await hours(database) }
    const reason = () => reasonOf({ ...times, served, made, now: Date.now() * 1000 })
    if (!reason() || (reason() === 'schedule' && performance.now() < restUntil)) return
    // Another program may have made one. `make` reports a repository that cannot be read.
    made = ((await newest().catch(() => undefined)) ?? 0) * 1000
    if (!reason()) return
    served = requested ?? 0
    restUntil = performance.now() + AGAIN_MS
    const began = Date.now() * 1000
    await make()
    made = began
  }
  await repeat([{ everyMs: POLL_MS, againMs: RETRY_PAUSE_MS, work: look }], { signal, onError }).finally(() =>
    closeDatabase(database),
  )
}

interface Repeated {
  everyMs: number
  /** Pause after a failure, in milliseconds. Default: AGAIN_MS, or the interval if it is shorter. */
  againMs?: number
  work(): Promise<void>
}

/**
 * Runs each task at once, in this order, and then at its interval from start to start. Measures with a clock that changes of the
 * time do not move. Resolves after the signal, when the task in progress has ended.
 */
export async function repeat(
  tasks: readonly Repeated[],
  { signal, onError }: { signal: AbortSignal; onError(error: unknown): void },
): Promise<void> {
  const due = tasks.map(() => performance.now())
  while (!signal.aborted) {
    const next = due.indexOf(Math.min(...due))
    await sleep(Math.max(0, due[next]! - performance.now()), undefined, { signal }).catch(() => {})
    if (signal.aborted) return
    const { everyMs, againMs = Math.min(everyMs, AGAIN_MS), work } = tasks[next]!
    const started = performance.now()
    try {
      await work()
      due[next] = started + everyMs
    } catch (error) {
      onError(error)
      due[next] = performance.now() + againMs
    }
  }
}

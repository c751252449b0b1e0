/** `mien backup --follow`: backups as the settings of the service say, and when a user asks for one in the console. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type BackupTimes, backupTimes } from '../../core/metadata/audit-log/entries.ts'
import { closeDatabase, openDatabase } from '../../core/metadata/database.ts'
import { settingReader } from '../administration/settings.ts'
import { metadataOf } from '../terminal/data-folder.ts'

/** Pause between two looks at requests and settings, and after a failure, in milliseconds. */
const LOOK_MS = 2_000
const FAILED_MS = 10_000

/** Pause before a backup that failed is repeated without a request, in milliseconds. */
const AGAIN_MS = 300_000

const HOUR_MICROS = 3_600_000_000

interface Due extends BackupTimes {
  /** Hours between two backups; 0: only on request. */
  hours: number
  /** The request that the last attempt has served, and the present time; microseconds since 1970. */
  served: number
  now: number
}

/** Why a backup is due; undefined when none is. A completion in the future was written by another clock. */
export function reasonOf({
  hours,
  served,
  now,
  requested = 0,
  started = 0,
  completed = 0,
}: Due): 'request' | 'schedule' | undefined {
  if (requested > Math.max(started, served)) return 'request'
  return hours > 0 && Math.abs(now - completed) >= hours * HOUR_MICROS ? 'schedule' : undefined
}

/** Calls `backUp` for each due backup of the data folder, until the signal. `backUp` records its start and its outcome in the audit log. */
export async function follow(
  data: string,
  backUp: () => Promise<void>,
  { signal, onError }: { signal: AbortSignal; onError(error: unknown): void },
): Promise<void> {
  const hours = await settingReader(data, 'backup_hours')
  const database = await openDatabase(data, await metadataOf(data))
  let served = 0
  let restUntil = 0
  const look = async () => {
    const times = await backupTimes(database)
    const reason = reasonOf({ ...times, hours: await hours(database), served, now: Date.now() * 1000 })
    if (!reason || (reason === 'schedule' && performance.now() < restUntil)) return
    served = times.requested ?? 0
    restUntil = performance.now() + AGAIN_MS
    await backUp()
  }
  await repeat([{ everyMs: LOOK_MS, againMs: FAILED_MS, work: look }], { signal, onError }).finally(() =>
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

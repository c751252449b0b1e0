/** Manages `<data>/ready.json`: the addresses of the running service, for scripts and commands. */
import { readFileSync, rmSync } from 'node:fs'
import { readFile, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { writeWhole } from '../../core/files/durable.ts'
import { jsonIn } from './command-line.ts'

export interface Ready {
  edge: string
  core: string
  token: string
  /** The launcher's process id. */
  pid: number
}

/** Writes `<data>/ready.json`, which exists while core and edge respond. */
export const writeReady = (data: string, ready: Ready): Promise<void> =>
  writeSecret(pathIn(data), `${JSON.stringify(ready)}\n`)

/** Removes the file of a launcher that was killed. The file of a running launcher stays. */
export async function removeStaleReady(data: string): Promise<void> {
  const kept = await keptReady(data)
  if (kept && !kept.isCurrent) await removeReady(data)
}

/**
 * Reads `<data>/ready.json`; undefined when there is no file. Throws an Error for the operator when the launcher that
 * wrote it has exited.
 */
export async function readReady(data: string): Promise<Ready | undefined> {
  const kept = await keptReady(data)
  if (!kept || kept.isCurrent) return kept?.ready
  throw new Error(
    `${pathIn(data)} is out of date: the launcher that wrote it (process ${kept.ready.pid}) is gone. ` +
      'Start the service again, or remove the file.',
  )
}

/** Removes the file when this launcher wrote it. Synchronous, because the calling process is about to exit. */
export function removeReadyOf(data: string, launcher: number): void {
  try {
    if (readyIn(readFileSync(pathIn(data), 'utf8')).pid === launcher) rmSync(pathIn(data))
  } catch {
    // The file does not exist.
  }
}

const pathIn = (data: string) => join(data, 'ready.json')

async function keptReady(data: string): Promise<{ ready: Ready; isCurrent: boolean } | undefined> {
  const [text, { mtimeMs = 0 } = {}] = await Promise.all([
    readFile(pathIn(data), 'utf8').catch(() => undefined),
    stat(pathIn(data)).catch(() => undefined),
  ])
  if (text === undefined) return undefined
  const ready = readyIn(text) as Ready
  return { ready, isCurrent: isAlive(ready.pid) && (await startedBefore(ready.pid, mtimeMs)) }
}

const readyIn = (text: string): Partial<Ready> => ({ ...(jsonIn(text) as Partial<Ready> | undefined) })

/** Tolerance in milliseconds between the start of a process and a file's time: they use different kernel clocks. */
const CLOCKS_MS = 2_000

/** Clock ticks per second in which Linux reports the starts of processes. */
const TICKS_PER_SECOND = 100

/**
 * Whether the process started before a file's time. A later start means that the id was reused. True when this is
 * unknown, without /proc.
 */
async function startedBefore(pid: number, fileMs: number) {
  const [process, system] = await Promise.all([
    readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ''),
    readFile('/proc/stat', 'utf8').catch(() => ''),
  ])
  // The command's name, in parentheses, may contain spaces. The start time is field 22; the fields after the name begin
  // with 3.
  const ticks = Number(process.slice(process.lastIndexOf(')') + 2).split(' ')[19])
  const bootSeconds = Number(/^btime (\d+)$/m.exec(system)?.[1])
  const startedMs = (bootSeconds + ticks / TICKS_PER_SECOND) * 1000
  return Number.isNaN(startedMs) || startedMs <= fileMs + CLOCKS_MS
}

/** Whether a process with this id exists and accepts signals of this user. */
export function isAlive(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0)
  } catch {
    return false
  }
}

export const removeReady = (data: string): Promise<void> => rm(pathIn(data), { force: true })

/** Writes a file atomically, readable only by its owner. */
export const writeSecret = (path: string, text: string): Promise<void> =>
  writeWhole(path, Buffer.from(text), dirname(path))

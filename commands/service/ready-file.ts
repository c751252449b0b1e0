/** `<data>/ready.json`: where the service that runs is reached, for scripts and commands. */
import { readFileSync, rmSync } from 'node:fs'
import { chmod, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface Ready {
  edge: string
  core: string
  token: string
  /** The launcher's process id. */
  pid: number
}

/** `<data>/ready.json` exists while everything answers. */
export const writeReady = (data: string, ready: Ready): Promise<void> =>
  writeSecret(pathIn(data), `${JSON.stringify(ready)}\n`)

/** What a start that was killed has left behind. The file of one that still runs stays. */
export async function removeStaleReady(data: string): Promise<void> {
  const kept = await keptReady(data)
  if (kept && !kept.isCurrent) await removeReady(data)
}

/**
 * What `<data>/ready.json` says of the service that runs; undefined where there is no such file. Throws an Error for the
 * operator when the launcher that wrote it is gone.
 */
export async function readReady(data: string): Promise<Ready | undefined> {
  const kept = await keptReady(data)
  if (!kept || kept.isCurrent) return kept?.ready
  throw new Error(
    `${pathIn(data)} is out of date: the launcher that wrote it (process ${kept.ready.pid}) is gone. ` +
      'Start the service again, or remove the file.',
  )
}

/** Removes the file when this launcher wrote it. Synchronous: the process that calls it is about to end. */
export function removeReadyOf(data: string, launcher: number): void {
  try {
    if (parsed(readFileSync(pathIn(data), 'utf8')).pid === launcher) rmSync(pathIn(data))
  } catch {
    // It is gone already.
  }
}

const pathIn = (data: string): string => join(data, 'ready.json')

async function keptReady(data: string): Promise<{ ready: Ready; isCurrent: boolean } | undefined> {
  const [text, { mtimeMs = 0 } = {}] = await Promise.all([
    readFile(pathIn(data), 'utf8').catch(() => undefined),
    stat(pathIn(data)).catch(() => undefined),
  ])
  if (text === undefined) return undefined
  const ready = parsed(text) as Ready
  return { ready, isCurrent: isAlive(ready.pid) && (await startedBefore(ready.pid, mtimeMs)) }
}

function parsed(text: string): Partial<Ready> {
  try {
    return { ...(JSON.parse(text) as Partial<Ready>) }
  } catch {
    return {}
  }
}

/** How far the start of a process and the time of a file, by different clocks of the kernel, may be apart. */
const CLOCKS_MS = 2_000

/** Ticks of a second, in which Linux counts the starts of processes on every common machine. */
const TICKS = 100

/**
 * Whether the process is older than a file's time. A younger one has the number of an earlier process. True where it cannot
 * be known: without /proc.
 */
async function startedBefore(pid: number, fileMs: number): Promise<boolean> {
  const [process, system] = await Promise.all([
    readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ''),
    readFile('/proc/stat', 'utf8').catch(() => ''),
  ])
  // The name of the command, in parentheses, may contain spaces. The start is field 22; the fields after the name begin with 3.
  const ticks = Number(process.slice(process.lastIndexOf(')') + 2).split(' ')[19])
  const bootSeconds = Number(/^btime (\d+)$/m.exec(system)?.[1])
  const startedMs = (bootSeconds + ticks / TICKS) * 1000
  return Number.isNaN(startedMs) || startedMs <= fileMs + CLOCKS_MS
}

/** Whether there is such a process, and we may signal it. */
export function isAlive(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0)
  } catch {
    return false
  }
}

export const removeReady = (data: string): Promise<void> => rm(pathIn(data), { force: true })

/** Whole or not at all, and readable by its owner only. */
export async function writeSecret(path: string, text: string): Promise<void> {
  const temporary = `${path}.${process.pid}`
  await writeFile(temporary, text, { mode: 0o600 })
  await chmod(temporary, 0o600)
  await rename(temporary, path)
}

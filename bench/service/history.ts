/**
 * Measures the memory of core while it sends an unlimited history. Events are inserted as rows, then read in one
 * response.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { fixed, type Outcome, table } from '../benchmark.ts'
import { insertEvents } from '../harness/insert-events.ts'
import { type Service, startService } from '../harness/service.ts'

export const description = "growth of core's memory while it sends an unlimited history"

export const options = { events: { type: 'string' } } as const

const EVENTS = 100_000

export async function run(values: Record<string, string | boolean | undefined>): Promise<Outcome> {
  if (process.platform !== 'linux') return { table: 'skipped: it reads /proc', result: { skipped: true } }
  const events = Number(values.events ?? EVENTS)
  const service = await startService()
  try {
    await insertEvents(service, events)
    const core = await coreOf(service.pid)
    // Loads code and allocates the memory of one page first. It is not part of the measurement.
    await readHistory(service, 1_000)
    const before = await memory(core, 'VmRSS')
    await resetPeak(core)
    const began = performance.now()
    const { results, bytes } = await readHistory(service, 0)
    const seconds = (performance.now() - began) / 1000
    const growth = (await memory(core, 'VmHWM')) - before
    if (results !== events) throw new Error(`${results} of ${events} events were answered`)
    const figures = {
      events,
      answerMb: fixed(bytes / 2 ** 20),
      seconds: fixed(seconds),
      coreBeforeMb: fixed(before),
      coreGrowthMb: fixed(growth),
    }
    const rows = [['figure', 'value'], ...Object.entries(figures)]
    return { table: table(rows), result: figures }
  } finally {
    await service.stop()
    await service.remove()
  }
}

/** Reads and counts a response as a stream. This process never holds the whole response. */
async function readHistory(
  { edge, token }: Service,
  limit: number,
): Promise<{ results: number; bytes: number }> {
  const headers = { authorization: `Token ${token}` }
  const response = await fetch(`${edge}/v0/history/search?limit=${limit}`, { headers })
  if (!response.ok || !response.body) throw new Error(`The history answers ${response.status}.`)
  let results = 0
  let bytes = 0
  let rest = ''
  const decoder = new TextDecoder()
  for await (const chunk of response.body) {
    bytes += chunk.length
    const pieces = (rest + decoder.decode(chunk, { stream: true })).split('"photo_hash"')
    results += pieces.length - 1
    rest = (pieces.at(-1) ?? '').slice(-'"photo_hash"'.length)
  }
  return { results, bytes }
}

/** The process id of core among the launcher's children. */
async function coreOf(launcher: number): Promise<number> {
  for (const pid of (await readdir('/proc')).filter(name => /^\d+$/.test(name))) {
    // Processes may end while this loop reads them.
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
    if (!status.includes(`\nPPid:\t${launcher}\n`)) continue
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    if (command.includes('core/server.ts')) return Number(pid)
  }
  throw new Error('Core was not found among the running processes.')
}

/** Current (VmRSS) or peak (VmHWM) memory of the process in megabytes. */
async function memory(pid: number, field: 'VmRSS' | 'VmHWM'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) / 1024
}

/** Resets VmHWM: see clear_refs in proc(5). */
const resetPeak = (pid: number): Promise<void> => writeFile(`/proc/${pid}/clear_refs`, '5')

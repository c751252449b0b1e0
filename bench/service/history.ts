/** Measures the memory of core while it sends an unlimited history. Events are inserted as rows, then read in one response. */
import { writeFile } from 'node:fs/promises'
import { benchmark, need } from '../benchmark.ts'
import { descendantOf, memoryOf } from '../harness/processes.ts'
import type { Service } from '../harness/service.ts'
import { insertEvents } from '../lib/insert-events.ts'
import { fixed } from '../statistics.ts'

export default benchmark({
  description: "growth of core's memory while it sends an unlimited history",
  options: { events: 100_000 },
  async run({ events }, rig) {
    need(process.platform === 'linux', '/proc')
    const service = await rig.service()
    await insertEvents(service, events)
    const core = await descendantOf(service.pid, 'core/server.ts')
    // Loads code and allocates the memory of one page first. It is not part of the measurement.
    await readHistory(service, 1_000)
    const before = await memoryOf(core, 'VmRSS')
    // Resets VmHWM: see proc(5).
    await writeFile(`/proc/${core}/clear_refs`, '5')
    const began = performance.now()
    const { results, bytes } = await readHistory(service, 0)
    const seconds = (performance.now() - began) / 1000
    if (results !== events) throw new Error(`${results} of ${events} events were answered`)
    return {
      events,
      answerMb: fixed(bytes / 2 ** 20),
      seconds: fixed(seconds),
      coreBeforeMb: fixed(before),
      coreGrowthMb: fixed((await memoryOf(core, 'VmHWM')) - before),
    }
  },
})

/** Reads and counts a response as a stream. This process never holds the whole response. */
async function readHistory({ edge, token }: Service, limit: number) {
  const headers = { authorization: `Token ${token}` }
  const response = await fetch(`${edge}/v0/history/search?limit=${limit}`, { headers })
  if (!response.ok || !response.body) throw new Error(`The history answers ${response.status}.`)
  const field = '"photo_hash"'
  let [results, bytes, rest] = [0, 0, '']
  const decoder = new TextDecoder()
  for await (const chunk of response.body) {
    bytes += chunk.length
    const pieces = (rest + decoder.decode(chunk, { stream: true })).split(field)
    results += pieces.length - 1
    rest = (pieces.at(-1) ?? '').slice(-field.length)
  }
  return { results, bytes }
}

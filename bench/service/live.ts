/** Measures the live view of a camera: delays from filming to the viewer, images a second, and CPU time with and without viewers. Linux only. */

import { loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { MienClient } from '#clients/typescript/src/index.ts'
import { hasFfmpeg } from '#test/support/photos/clips.ts'
import { ageOf, filmedClock } from '#test/support/photos/filmed-clock.ts'
import { descendantsOf } from '#test/support/processes.ts'
import { times } from '#test/support/times.ts'
import { benchmark, need } from '../benchmark.ts'
import { addCameras, coresOf, startWatcher, until } from '../lib/cameras/watching.ts'
import type { Served } from '../rig.ts'
import { fixed, median, minimum } from '../statistics.ts'

/** How long the first image, and the end of the second ffmpeg, may take in milliseconds. */
const PATIENCE_MS = 30_000

export default benchmark({
  description:
    'live view: delay from filming to the viewer, images a second, CPU time with and without viewers',
  options: { seconds: 20 },
  async run({ seconds }, rig) {
    need(hasFfmpeg, 'ffmpeg')
    const clock = await filmedClock()
    rig.defer(clock.close)
    const service = await rig.service()
    const [camera] = await addCameras(service, 1, { url: clock.url }, rig)
    let isOpen = false
    const watcher = startWatcher(service, [], ({ event }) => {
      isOpen ||= event === 'camera open'
    })
    rig.defer(() => watcher.stop('SIGTERM'))
    await until(() => isOpen, PATIENCE_MS, 'The camera has not opened')
    await sleep(5_000)
    const cores = async () => {
      const watching = [watcher.pid, ...(await descendantsOf(watcher.pid, 'ffmpeg'))]
      const serving = [service.pid, ...(await descendantsOf(service.pid, ''))]
      const spent = await Promise.all([watching, serving].map(pids => coresOf(pids, seconds * 1_000)))
      return { watcherCores: fixed(spent[0]!, 2), serviceCores: fixed(spent[1]!, 2) }
    }
    const rows = [{ viewers: 0, ...(await cores()) }]
    for (const viewers of [1, 4]) {
      const leaving = new AbortController()
      const seen = times(viewers, () => look(service, camera!, leaving.signal))
      await until(() => seen.every(ages => ages.length > 30), PATIENCE_MS, 'No image came')
      const from = seen.map(ages => ages.length)
      const spent = await cores()
      const ages = seen.map((one, i) => one.slice(from[i]))
      leaving.abort()
      await until(() => clock.viewers() === 1, PATIENCE_MS, 'The live view did not end')
      rows.push({
        viewers,
        ...spent,
        medianDelayMs: median(ages.flat()),
        leastImagesPerSecond: fixed(minimum(ages.map(one => one.length)) / seconds),
      } as (typeof rows)[number])
    }
    return { live: rows, loadAverage: fixed(loadavg()[0]!) }
  },
})

/** The ages of the images that a viewer gets, a list that grows until the signal. */
function look({ edge, token }: Served, camera: string, signal: AbortSignal): number[] {
  const ages: number[] = []
  const run = async () => {
    for await (const image of new MienClient({ url: edge, token }).live(camera, { signal }))
      ages.push(await ageOf(new Uint8Array(await image.arrayBuffer())))
  }
  run().catch(error => {
    if (!signal.aborted) throw error
  })
  return ages
}

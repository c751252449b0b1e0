/** CPU time of a watched camera: of this process with its threads, and of ffmpeg. Linux only. */
import { readFile } from 'node:fs/promises'
import type { Analyzer } from '#camera/analysis/analyzer.ts'
import { watchCamera } from '#camera/camera.ts'
import type { CameraSettings } from '#camera/options.ts'
import { descendantsOf } from '../../harness/processes.ts'

/** Clock ticks of a second in /proc. */
const TICKS = 100

/** Time in which ffmpeg opens the clip. It is not measured. */
const WARM_UP_MS = 3_000

export interface CameraCost {
  /** CPU seconds a second of watching. */
  watcher: number
  ffmpeg: number
  /** Frames a second that were analysed. A busy machine drops some, a still picture needs few. */
  analysed: number
}

/** Watches a clip in real time. */
export async function cpuOf(
  analyzer: Analyzer,
  url: string,
  settings: CameraSettings,
  seconds: number,
): Promise<CameraCost> {
  let analysed = 0
  const counting: Analyzer = {
    ...analyzer,
    async analyze(frameOf) {
      const faces = await analyzer.analyze(frameOf)
      analysed++
      return faces
    },
  }
  const parts = { analyzer: counting, onVisit: () => {}, log: () => {} }
  const watch = watchCamera({ id: 'clip', url }, settings, parts)
  await new Promise(resolve => setTimeout(resolve, WARM_UP_MS))
  const [child] = await descendantsOf(process.pid, 'image2pipe')
  if (child === undefined) throw new Error('ffmpeg does not run.')
  const ticks = await ticksOf(child)
  const start = performance.now()
  const first = analysed
  const before = process.cpuUsage()
  await new Promise(resolve => setTimeout(resolve, 1_000 * seconds))
  const { user, system } = process.cpuUsage(before)
  const passed = (performance.now() - start) / 1_000
  const spent = (await ticksOf(child)) - ticks
  const frames = analysed - first
  await watch.stop()
  return {
    watcher: (user + system) / 1e6 / passed,
    ffmpeg: spent / TICKS / passed,
    analysed: frames / passed,
  }
}

/** Cores that the processes use for so long, together. */
export async function coresOf(pids: readonly number[], ms: number): Promise<number> {
  const ticks = async () => (await Promise.all(pids.map(ticksOf))).reduce((sum, one) => sum + one, 0)
  const [before, start] = [await ticks(), performance.now()]
  await new Promise(resolve => setTimeout(resolve, ms))
  return ((await ticks()) - before) / TICKS / ((performance.now() - start) / 1_000)
}

/** CPU time of a process in ticks: fields 14 and 15 of /proc/PID/stat. */
async function ticksOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return Number(fields[11]) + Number(fields[12])
}

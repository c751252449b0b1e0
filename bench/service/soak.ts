/** Memory, open files and latencies of a service over hours: enrolment, searches, deletion, a camera, backups and retention at once. */
import { spawn } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { form, sample } from '#test/support/client.ts'
import { hasFfmpeg } from '#test/support/photos/clips.ts'
import { descendantOf, memoryOf } from '#test/support/processes.ts'
import { benchmark, need, progress } from '../benchmark.ts'
import { addCameras, startWatcher, writePassing } from '../lib/cameras/watching.ts'
import { after, callers } from '../load.ts'
import { MIEN, type Rig, type Served } from '../rig.ts'
import { counts, fixed, quantile } from '../statistics.ts'

/** Faces that the load keeps. Older ones are deleted. */
const KEPT_FACES = 300

/** Reachable objects of core are measured when this share of the time is over, and at the end. A measurement collects garbage. */
const SETTLED = 0.25

export default benchmark({
  description: 'hours of enrolment, searches, deletion, a camera, backups and retention: memory, files, p99',
  options: {
    minutes: 120,
    /** Requests a second. */
    rate: 2,
    /** Minutes between two samples. */
    every: 5,
  },
  async run({ minutes, rate, every }, rig) {
    need(hasFfmpeg && process.platform === 'linux', 'ffmpeg and /proc')
    const service = await rig.service({ env: { NODE_OPTIONS: '--inspect-port=0' } })
    const watcher = await watchDoor(service, rig)
    await backUp(service, rig)
    const edge = await descendantOf(service.pid, 'workerd serve')
    const core = service.pid
    const heap = await openHeap(core, service.output)
    rig.defer(() => heap.close())
    const isOver = after(60_000 * minutes)
    const times: number[] = []
    const statuses: number[] = []
    const load = callers(2, isOver, await openClient(service, times, statuses), rate)
    const reachable: Record<string, number> = {}
    const readHeap = async (when: string) => {
      reachable[when] = fixed((await heap.used()) / 2 ** 20)
    }
    const rows: Row[] = []
    for (let minute = 0; minute < minutes; minute += every) {
      await sleep(60_000 * every)
      rows.push({
        minute: minute + every,
        coreMb: await megabytesOf(core),
        edgeMb: await megabytesOf(edge),
        watcherMb: await megabytesOf(watcher),
        files: (await Promise.all([core, edge, watcher].map(openFiles))).join(' + '),
        p99Ms: fixed(quantile(times.splice(0), 0.99), 0),
      })
      progress(JSON.stringify(rows.at(-1)))
      if (minute < SETTLED * minutes && minute + every >= SETTLED * minutes) await readHeap('settled')
    }
    await load
    await readHeap('end')
    return { rows, growth: growthOf(rows), reachableMb: reachable, statuses: counts(statuses) }
  },
})

interface Row {
  minute: number
  /** Resident megabytes. */
  coreMb: number
  edgeMb: number
  watcherMb: number
  /** Open files of core, edge and watcher. */
  files: string
  p99Ms: number
}

/** Growth in percent from the first sample after a quarter of the time to the last one. */
function growthOf(rows: readonly Row[]) {
  const [first, last] = [rows[Math.ceil(SETTLED * (rows.length - 1))]!, rows.at(-1)!]
  const grown = (part: 'coreMb' | 'edgeMb' | 'watcherMb') => fixed(100 * (last[part] / first[part] - 1))
  return { core: grown('coreMb'), edge: grown('edgeMb'), watcher: grown('watcherMb') }
}

const megabytesOf = async (pid: number) => fixed(await memoryOf(pid, 'VmRSS'), 0)

const openFiles = async (pid: number) => (await readdir(`/proc/${pid}/fd`)).length

/** A camera that two people pass each minute. Returns the process of its watcher. */
async function watchDoor(service: Served, rig: Rig) {
  const folder = await rig.folder()
  await writePassing(folder, 'passing.ts')
  await addCameras(service, 1, { url: 'passing.ts', retention_days: 1 }, rig)
  const watcher = startWatcher(service, ['--files', folder], () => {})
  rig.defer(() => watcher.stop('SIGTERM'))
  return watcher.pid
}

/** Backups of the service while it runs, one every ten minutes. */
async function backUp({ data }: Served, rig: Rig) {
  const args = [MIEN, 'backup', '--to', await rig.folder(), '--data', data, '--every', '10m']
  const backups = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] })
  const ended = new Promise(resolve => backups.once('exit', resolve))
  rig.defer(() => backups.kill() && ended)
}

/** A call of `callers`: a third enrols, the others search, compare and list. Old faces are deleted. */
async function openClient({ send }: Served, times: number[], statuses: number[]) {
  const kept: number[] = []
  const photos = await Promise.all(([1, 2, 3] as const).map(number => sample(number)))
  const searches = [
    (i: number) => send('POST', '/v1/identify', form({ photo: photos[i % 3]!, mf_selector: 'all' })),
    (i: number) => send('POST', '/v1/verify', form({ photo1: photos[i % 3]!, photo2: photos[1]! })),
    () => send('GET', '/v1/faces'),
    (i: number) => send('POST', '/v1/detect', form({ photo: photos[i % 3]! })),
  ]
  return async (_: number, turn: number) => {
    const began = performance.now()
    if (turn % 3 === 0) {
      const body = form({ photo: photos[turn % 9 === 0 ? 0 : 1]!, meta: `face ${turn}`, mf_selector: 'all' })
      const { status, body: answer } = await send('POST', '/v1/face', body)
      statuses.push(status)
      kept.push(...(answer.results ?? []).map(({ id }: { id: number }) => id))
    } else statuses.push((await searches[turn % 4]!(turn)).status)
    times.push(performance.now() - began)
    while (kept.length > KEPT_FACES)
      statuses.push((await send('DELETE', `/v1/face/id/${kept.shift()}`)).status)
  }
}

/** The heap of a Node.js process. */
interface Heap {
  /** Bytes of objects that a collection leaves. */
  used(): Promise<number>
  close(): void
}

/**
 * Opens the inspector of a process that runs with `--inspect-port=0`. `output` returns the output of the process. The output names
 * the address.
 */
async function openHeap(pid: number, output: () => string): Promise<Heap> {
  process.kill(pid, 'SIGUSR1')
  let url: string | undefined
  while (!url) {
    await sleep(100)
    url = /Debugger listening on (ws:\S+)/.exec(output())?.[1]
  }
  const socket = new WebSocket(url)
  await new Promise((resolve, reject) => {
    socket.onopen = resolve
    socket.onerror = reject
  })
  const answers = new Map<number, (result: Record<string, number>) => void>()
  socket.onmessage = ({ data }) => {
    const { id, result } = JSON.parse(data)
    answers.get(id)?.(result)
    answers.delete(id)
  }
  let calls = 0
  const call = (method: string) =>
    new Promise<Record<string, number>>(resolve => {
      answers.set(++calls, resolve)
      socket.send(JSON.stringify({ id: calls, method }))
    })
  return {
    async used() {
      await call('HeapProfiler.collectGarbage')
      const {
        usedSize = 0,
        embedderHeapUsedSize = 0,
        backingStorageSize = 0,
      } = await call('Runtime.getHeapUsage')
      return usedSize + embedderHeapUsedSize + backingStorageSize
    },
    close: () => socket.close(),
  }
}

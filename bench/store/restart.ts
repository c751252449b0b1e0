/** Measures the time from core's start to readiness and to the first search, with many faces in the store. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { SEARCH_HEADER, WITH_INDEX, WITHOUT_INDEX } from '#contract/store-interface.ts'
import { openDataKey } from '#core/encryption/folder-key.ts'
import { type OperatorKey, parseOperatorKey } from '#core/encryption/key-file.ts'
import { benchmark, progress } from '../benchmark.ts'
import { cpuSecondsOf } from '../harness/processes.ts'
import { addFaces, BENCH_KEY, inStore, makeIndex, NO_INDEX_BY_ITSELF } from '../lib/vectors/fill.ts'
import { vectorAt } from '../lib/vectors/truth.ts'
import { ROOT } from '../rig.ts'
import { fixed, median, minimum } from '../statistics.ts'

const STARTS = 3
const GALLERY = 'faces'

export default benchmark({
  description:
    'time from the start of core to readiness and to the first search, with many faces in the store',
  options: {
    faces: 1_000_000,
    dimension: 128,
    /** Uses an encrypted data folder. */
    encrypted: false,
  },
  async run({ faces, dimension, encrypted }, rig) {
    const data = await rig.folder()
    const key = parseOperatorKey(BENCH_KEY) as OperatorKey
    const dataKey = encrypted ? await openDataKey(data, key) : undefined
    const probes = await inStore(data, store => addFaces(store, GALLERY, { faces, dimension }), dataKey)
    const probe = vectorAt(probes, 0, dimension)
    const linear = await starts(data, probe, WITHOUT_INDEX, encrypted)
    progress('the index is being made')
    await inStore(data, store => makeIndex(store, GALLERY), dataKey)
    return { faces, dimension, encrypted, linear, indexed: await starts(data, probe, WITH_INDEX, encrypted) }
  },
})

/** Seconds since the start of the process to readiness and to the first search; CPU seconds of all threads until readiness. */
async function starts(
  data: string,
  probe: Float32Array<ArrayBuffer>,
  expected: string,
  isEncrypted: boolean,
) {
  const all: { ready: number; searched: number; cpu: number }[] = []
  for (let i = 0; i < STARTS; i++) {
    progress(`start ${i + 1} of ${STARTS}`)
    const began = performance.now()
    const seconds = () => (performance.now() - began) / 1000
    const core = await startCore(data, isEncrypted ? { MIEN_ENCRYPTION_KEY: BENCH_KEY } : {})
    const ready = seconds()
    const cpu = await cpuSecondsOf(core.pid)
    await search(core.origin, probe, expected)
    all.push({ ready, searched: seconds(), cpu })
    await core.stop()
  }
  const figures = (of: (start: (typeof all)[number]) => number) => {
    const values = all.map(of)
    return { least: fixed(minimum(values), 2), median: fixed(median(values), 2) }
  }
  return {
    ready: figures(({ ready }) => ready),
    searched: figures(({ searched }) => searched),
    cpu: figures(({ cpu }) => cpu),
  }
}

/** Starts core without an edge. Resolves when it is ready. Rejects when it exits before, with the reason on stderr. */
async function startCore(data: string, environment: Record<string, string>) {
  const env = { ...process.env, MIEN_DATA: data, MIEN_CORE_PORT: '0', MIEN_CORE_HOST: '127.0.0.1' }
  const child = fork(join(ROOT, 'core', 'server.ts'), {
    env: { ...env, MIEN_INDEX_ABOVE: String(NO_INDEX_BY_ITSELF), ...environment },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const gone = once(child, 'exit')
  const [message] = await Promise.race([
    once(child, 'message'),
    gone.then(() => Promise.reject(new Error('Core did not start.'))),
  ])
  return {
    pid: child.pid!,
    origin: `http://127.0.0.1:${message.port}`,
    async stop() {
      child.kill('SIGTERM')
      await gone
    },
  }
}

/** Throws unless the search finds faces and uses the expected method. */
async function search(origin: string, body: Float32Array<ArrayBuffer>, expected: string): Promise<void> {
  const response = await fetch(`${origin}/v1/${GALLERY}/search/10/0`, { method: 'POST', body })
  if (!response.ok) throw new Error(`The search answered ${response.status}.`)
  const found = (await response.json()) as unknown[]
  const used = response.headers.get(SEARCH_HEADER)
  if (found.length !== 10 || used !== expected)
    throw new Error(`The search found ${found.length} faces, and says "${used}" of its index.`)
}

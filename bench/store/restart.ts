/** Measures the time from core's start to readiness and to the first search, with many faces in the store. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SEARCH_HEADER, WITH_INDEX, WITHOUT_INDEX } from '#contract/store-interface.ts'
import type { DataKey } from '#core/encryption/encrypt.ts'
import { openDataKey } from '#core/encryption/folder-key.ts'
import { openVectorStore } from '#core/vector-store/open.ts'
import { fixed, median, minimum, type Outcome, progress, table } from '../benchmark.ts'
import { startCore } from '../lib/vectors/core-process.ts'
import { BENCH_KEY, BENCH_KEY_TEXT } from '../lib/vectors/encryption.ts'
import { addRows, madeIndex, NO_INDEX_BY_ITSELF } from '../lib/vectors/fill.ts'
import { syntheticFaces } from '../lib/vectors/synthetic.ts'
import { vectorAt } from '../lib/vectors/truth.ts'

export const description =
  'time from the start of core to readiness and to the first search, with many faces in the store'

export const options = {
  faces: { type: 'string' },
  dimension: { type: 'string' },
  /** Uses an encrypted data folder. */
  encrypted: { type: 'boolean' },
} as const

const FACES = 1_000_000
const DIMENSION = 160
const STARTS = 3
const GALLERY = 'faces'

/** Seconds since the start of the process. */
interface Start {
  ready: number
  searched: number
  /** CPU time of all threads until readiness. */
  cpu: number
}

interface Values {
  faces?: string
  dimension?: string
  encrypted?: boolean
}

/** A data folder, and its key if it is encrypted. */
interface Folder {
  data: string
  dataKey: DataKey | undefined
}

export async function run(values: Values): Promise<Outcome> {
  const [count, dimension] = [Number(values.faces ?? FACES), Number(values.dimension ?? DIMENSION)]
  const data = await mkdtemp(join(tmpdir(), 'mien-bench-'))
  const { encrypted = false } = values
  try {
    const folder = { data, dataKey: encrypted ? await openDataKey(data, BENCH_KEY) : undefined }
    const probe = await fill(folder, dimension, count)
    const linear = await starts(folder, probe, WITHOUT_INDEX)
    progress('  the index is being made')
    await inStore(folder, store => madeIndex(store, GALLERY))
    const indexed = await starts(folder, probe, WITH_INDEX)
    const rows = [
      ['', 'ready: min s', 'median s', 'first search: min s', 'median s', 'ready: min CPU s'],
      ['without an index', ...seconds(linear)],
      ['with an index', ...seconds(indexed)],
    ]
    const result = { faces: count, dimension, encrypted, linear, indexed }
    const what = `${count} faces x ${dimension}${encrypted ? ', encrypted' : ''}`
    return { table: `${what}\n\n${table(rows)}`, result }
  } finally {
    await rm(data, { recursive: true, force: true })
  }
}

/** Fills the store with valid data. Resolves with a probe of an enrolled person. */
async function fill(folder: Folder, dimension: number, count: number): Promise<Float32Array<ArrayBuffer>> {
  const faces = syntheticFaces(dimension, count)
  await inStore(folder, async store => {
    let first = 0
    for (const piece of faces.rows()) {
      await addRows(store, () => GALLERY, first, piece, dimension)
      first += piece.length / dimension
      if (first % 100_000 === 0) progress(`  ${first} of ${count} faces are added`)
    }
  })
  return vectorAt(faces.probes(), 0, dimension)
}

async function inStore(
  { data, dataKey }: Folder,
  work: (store: Awaited<ReturnType<typeof openVectorStore>>) => Promise<void>,
): Promise<void> {
  const folder = join(data, 'vectors')
  await mkdir(folder, { recursive: true })
  const store = await openVectorStore(folder, { indexAbove: NO_INDEX_BY_ITSELF, dataKey })
  try {
    await work(store)
  } finally {
    await store.close()
  }
}

async function starts(
  { data, dataKey }: Folder,
  probe: Float32Array<ArrayBuffer>,
  withIndex: string,
): Promise<Start[]> {
  const all: Start[] = []
  for (let i = 0; i < STARTS; i++) {
    progress(`  start ${i + 1} of ${STARTS}`)
    const began = performance.now()
    const core = await startCore(data, {
      MIEN_INDEX_ABOVE: String(NO_INDEX_BY_ITSELF),
      ...(dataKey && { MIEN_ENCRYPTION_KEY: BENCH_KEY_TEXT }),
    })
    try {
      const ready = (performance.now() - began) / 1000
      const cpu = fixed(await core.cpuSeconds(), 2)
      await search(core.origin, probe, withIndex)
      all.push({ ready: fixed(ready, 2), searched: fixed((performance.now() - began) / 1000, 2), cpu })
    } finally {
      await core.stop()
    }
  }
  return all
}

/** Throws unless the search finds faces and uses the expected method. */
async function search(origin: string, probe: Float32Array<ArrayBuffer>, withIndex: string): Promise<void> {
  const response = await fetch(`${origin}/v1/${GALLERY}/search/10/0`, { method: 'POST', body: probe })
  if (!response.ok) throw new Error(`The search answered ${response.status}.`)
  const found = (await response.json()) as unknown[]
  if (found.length !== 10) throw new Error(`The search found ${found.length} faces.`)
  const reported = response.headers.get(SEARCH_HEADER)
  if (reported !== withIndex) throw new Error(`The search says "${reported}" of its index.`)
}

const seconds = (all: readonly Start[]): number[] => {
  const [ready, searched] = [all.map(start => start.ready), all.map(start => start.searched)]
  const used = minimum(all.map(({ cpu }) => cpu))
  return [minimum(ready), median(ready), minimum(searched), median(searched), used]
}

/** Measures single warm requests for detect, face and identify, and their stages. */
import { join } from 'node:path'
import { openEmbedder } from '#core/embedding/embedder.ts'
import { openShardThread } from '#core/vector-store/shard/shard-thread.ts'
import { STANDARD_PACK } from '#models/packs.ts'
import { form, type Send } from '#test/support/client.ts'
import { analyzePhoto, type Stage } from '#wasm/pipeline.ts'
import { benchmark } from '../benchmark.ts'
import { BUDGET, openAnalysis } from '../lib/faces/analysis.ts'
import { group, portrait } from '../photos.ts'
import type { Rig } from '../rig.ts'
import { fixed, median, minimum, timed } from '../statistics.ts'

/** A portrait of one person, and four people at two sizes. */
const PHOTOS = {
  '1 Mpx portrait': async () => (await portrait()).resize(1000),
  '1 Mpx': () => group(1118, 895),
  '12 Mpx': () => group(3873, 3100),
} as const

const WARM_UP = 8

type Photo = Uint8Array<ArrayBuffer>

/** Runs an operation once and returns its milliseconds. */
type Once = (photo: Photo) => Promise<number>

export default benchmark({
  description: 'milliseconds per request on a portrait and photos of four people, and of each stage',
  options: { runs: 15 },
  async run({ runs }, rig) {
    const { send } = await rig.service()
    const operations: Record<string, Once> = {
      detect: requests(send, '/v0/detect'),
      face: requests(send, '/v0/face'),
      identify: requests(send, '/v0/identify'),
    }
    const stagesOf = await openStages(rig)
    const [measured, stages] = [[] as object[], [] as object[]]
    for (const [photo, picture] of Object.entries(PHOTOS)) {
      const file: Photo = new Uint8Array(await (await picture()).jpeg({ quality: 90 }).toBuffer())
      for (const [request, ms] of Object.entries(await interleaved(operations, file, runs)))
        measured.push({ photo, request, minimumMs: fixed(minimum(ms)), medianMs: fixed(median(ms)) })
      stages.push({ photo, ...(await stageMinima(stagesOf, file, runs)) })
    }
    return { requests: measured, stages }
  },
})

function requests(send: Send, path: string): Once {
  return photo => {
    const body = form({ photo })
    return timed(async () => {
      const { status } = await send('POST', path, body)
      if (status !== 200) throw new Error(`${path} answered ${status}`)
    })
  }
}

/**
 * Runs each operation once without and once with measurement per round. Interleaving spreads changes of the machine's
 * load over all operations. The run without measurement refills the processor's caches, as in a warm service.
 */
async function interleaved(operations: Readonly<Record<string, Once>>, photo: Photo, runs: number) {
  const times: Record<string, number[]> = {}
  for (let round = 0; round < WARM_UP + runs; round++)
    for (const [name, once] of Object.entries(operations)) {
      await once(photo)
      const ms = await once(photo)
      times[name] ??= []
      if (round >= WARM_UP) times[name].push(ms)
    }
  return times
}

/** Milliseconds of each stage of one identify request. */
type StageTimes = Record<Stage | 'embed' | 'search', number>

type Stages = (photo: Photo) => Promise<StageTimes>

/** Faces in the searched gallery. */
const ENROLLED = 10_000

/** The stages of a request with the service's code in this process: analysis, embedder and search of the biggest face. */
async function openStages(rig: Rig): Promise<Stages> {
  const models = await openAnalysis()
  const embedder = await openEmbedder()
  rig.defer(() => embedder.close())
  const store = await openShardThread(join(await rig.folder(), 'vectors'))
  rig.defer(() => store.close())
  const vector = () =>
    Float32Array.from({ length: STANDARD_PACK.embedder.dimension }, () => Math.random() - 0.5)
  await store.add(Array.from({ length: ENROLLED }, (_, id) => ({ gallery: 'g', id, vector: vector() })))
  return async photo => {
    const times: StageTimes = { decode: 0, detect: 0, landmarks: 0, align: 0, embed: 0, search: 0 }
    const around = async <Result>(stage: keyof StageTimes, work: () => Promise<Result>) => {
      const began = performance.now()
      const result = await work()
      times[stage] += performance.now() - began
      return result
    }
    const selection = { selector: 'biggest' as const, boxes: [] }
    const { selected } = await analyzePhoto(models, photo, selection, { ...BUDGET, wrapStage: around })
    const [probe] = await around('embed', () => embedder.embed(selected.map(face => face.chip)))
    await around('search', () => store.search('g', probe!, { limit: 10, minScore: 0 }))
    return times
  }
}

/** Minimum time of each stage. */
async function stageMinima(stages: Stages, photo: Photo, runs: number) {
  const least: Partial<StageTimes> = {}
  for (let round = 0; round < WARM_UP + runs; round++) {
    const times = Object.entries(await stages(photo)) as [keyof StageTimes, number][]
    if (round < WARM_UP) continue
    for (const [stage, ms] of times) least[stage] = fixed(Math.min(least[stage] ?? ms, ms), 2)
  }
  return least
}

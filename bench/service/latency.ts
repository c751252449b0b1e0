/** Measures single warm requests for detect, face and identify, their stages, and face-api on TFJS. */
import { join } from 'node:path'
import sharp from 'sharp'
import { openEmbedder } from '#core/embedding/embedder.ts'
import { openShardThread } from '#core/vector-store/shard/shard-thread.ts'
import { DLIB_NAME, DLIB_PACK, type PlacedPack, STANDARD_PACK } from '#models/packs.ts'
import { analyzePhoto, type Stage } from '#wasm/pipeline.ts'
import { benchmark } from '../benchmark.ts'
import { form, type Send } from '../harness/client.ts'
import { BUDGET, openAnalysis, pixelsOf } from '../lib/faces/analysis.ts'
import { faceApiDetector } from '../lib/peers/detectors.ts'
import { group, portrait } from '../photos.ts'
import type { Rig } from '../rig.ts'
import { fixed, median, minimum, timed } from '../statistics.ts'

/** A portrait of one person, and four people at two sizes. */
const PHOTOS = {
  '1 Mpx portrait': async () => (await portrait()).resize(1000),
  '1 Mpx': () => group(1118, 895),
  '12 Mpx': () => group(3873, 3100),
} as const

const [TINY, SSD, DLIB] = ['face-api tiny, detector', 'face-api SSD, detector', 'identify, pack dlib']

/** Maximum times: of a whole detect over HTTP, of the embedder, and of identify on a portrait. */
const TARGETS = {
  [`detect / ${TINY}, 1 Mpx portrait`]: 0.33,
  [`detect / ${SSD}, 12 Mpx`]: 0.33,
  'embed / embed of dlib': 0.75,
  'identify / identify of dlib, 1 Mpx portrait': 0.85,
}

const WARM_UP = 8

type Photo = Uint8Array<ArrayBuffer>

/** Runs an operation once and returns its milliseconds. */
type Once = (photo: Photo) => Promise<number>

export default benchmark({
  description:
    'milliseconds per request on a portrait and photos of four people, compared with the pack dlib and face-api on TFJS WASM',
  options: { runs: 15 },
  async run({ runs }, rig) {
    const { send } = await rig.service()
    const { send: sendToDlib } = await rig.service({ env: { MIEN_PACK: DLIB_NAME } })
    const operations: Record<string, Once> = {
      detect: requests(send, '/v0/detect'),
      face: requests(send, '/v0/face'),
      identify: requests(send, '/v0/identify'),
      [DLIB]: requests(sendToDlib, '/v0/identify'),
      ...(await peers()),
    }
    const chains = { standard: await openStages(rig), dlib: await openStages(rig, DLIB_PACK) }
    const [measured, stages, ratios] = [[] as object[], [] as object[], [] as object[]]
    for (const [photo, picture] of Object.entries(PHOTOS)) {
      const file: Photo = new Uint8Array(await (await picture()).jpeg({ quality: 90 }).toBuffer())
      const times = await interleaved(operations, file, runs)
      const least = (name: string) => minimum(times[name]!)
      for (const [request, ms] of Object.entries(times))
        measured.push({
          ...{ photo, request, minimumMs: fixed(minimum(ms)), medianMs: fixed(median(ms)) },
          timesSsd: fixed(least(SSD) / minimum(ms)),
        })
      const minima = await stageMinima(chains, file, runs)
      for (const [pack, own] of Object.entries(minima)) stages.push({ photo, pack, ...own })
      ratios.push({
        photo,
        [`detect / ${TINY}`]: fixed(least('detect') / least(TINY), 2),
        [`detect / ${SSD}`]: fixed(least('detect') / least(SSD), 2),
        'embed / dlib': fixed(minima.standard!.embed / minima.dlib!.embed, 2),
        'identify / dlib': fixed(least('identify') / least(DLIB), 2),
      })
    }
    return { requests: measured, stages, ratios, targets: TARGETS }
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

/** face-api in its usual configuration. Photos are decoded by sharp, the fastest available decoder. */
async function peers(): Promise<Record<string, Once>> {
  const [tiny, ssd] = [await faceApiDetector('tiny', 0.5), await faceApiDetector('ssd', 0.5)]
  return {
    [TINY]: async photo => {
      const pixels = await pixelsOf(sharp(photo))
      return timed(() => tiny.detect(pixels))
    },
    [SSD]: async photo => {
      const pixels = await pixelsOf(sharp(photo))
      return timed(() => ssd.detect(pixels))
    },
    'face-api SSD, with decoding': photo => timed(async () => ssd.detect(await pixelsOf(sharp(photo)))),
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
async function openStages(rig: Rig, pack: PlacedPack = STANDARD_PACK): Promise<Stages> {
  const models = await openAnalysis(pack)
  const embedder = await openEmbedder({ pack })
  rig.defer(() => embedder.close())
  const store = await openShardThread(join(await rig.folder(), 'vectors'))
  rig.defer(() => store.close())
  const vector = () => Float32Array.from({ length: pack.embedder.dimension }, () => Math.random() - 0.5)
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

/** Minimum time of each stage of each chain, interleaved. */
async function stageMinima(chains: Readonly<Record<string, Stages>>, photo: Photo, runs: number) {
  const minima: Record<string, StageTimes> = {}
  for (let round = 0; round < WARM_UP + runs; round++)
    for (const [name, stages] of Object.entries(chains)) {
      const times = await stages(photo)
      if (round < WARM_UP) continue
      const least = minima[name] ?? times
      for (const stage of Object.keys(times) as (keyof StageTimes)[])
        least[stage] = fixed(Math.min(least[stage], times[stage]), 2)
      minima[name] = least
    }
  return minima
}

/**
 * Measures an isolate's memory, of 128 MB, for the most expensive photos of each kind, and its growth over many
 * requests.
 */
import { randomFillSync } from 'node:crypto'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import * as fc from 'fast-check'
import sharp, { type Sharp } from 'sharp'
import { LIMITS } from '#contract/limits.ts'
import { DECODE_LIMITS } from '#edge/vision/photo-analyzer.ts'
import { buildModels } from '#models/build.ts'
import { readModel } from '#models/files.ts'
import { ExceedsDecodeLimits } from '#wasm/decode/budget.ts'
import { loadCodecs } from '#wasm/decode/codecs.node.ts'
import { analyzePhoto, openVisionModels, type VisionModels } from '#wasm/pipeline.ts'
import { openRuntime } from '#wasm/runtime/runtime.node.ts'
import { fixed, type Outcome, progress, table } from '../benchmark.ts'
import { broken } from '../harness/broken-photos.ts'
import { clientOf, form, sample } from '../harness/client.ts'
import { descendantOf, memoryOf } from '../harness/processes.ts'
import { startService } from '../harness/service.ts'
import { type WatchedMemories, watchMemories } from '../harness/wasm-memories.ts'

export const description =
  'memory of the edge worker: the most expensive photos of each kind, and over thousands of requests'

export const options = { requests: { type: 'string' } } as const

const REQUESTS = 2_000
const ROUND = 100
const MB = 2 ** 20
const ISOLATE_MB = 128

type Photo = Uint8Array<ArrayBuffer>

const four = sharp(await sample(6))

const sized = (width: number, height: number): Sharp => four.clone().resize(width, height, { fit: 'fill' })

const noise = (width: number, height: number): Sharp =>
  sharp(randomFillSync(Buffer.alloc(width * height * 3)), { raw: { width, height, channels: 3 } })

const SMALLEST_FACE = { x1: 100, y1: 100, x2: 100 + LIMITS.faceSide, y2: 100 + LIMITS.faceSide }

/** Photo sizes just below the limits at which the isolate forwards a photo to core, and some above. */
const CASES: Readonly<Record<string, () => Sharp>> = {
  'JPEG, 1 Mpx': () => sized(1150, 870).jpeg({ quality: 90 }),
  'JPEG, 12 Mpx': () => sized(4000, 3000).jpeg({ quality: 95, chromaSubsampling: '4:4:4' }),
  'JPEG, 13 Mpx': () => sized(4160, 3120).jpeg({ quality: 90 }),
  'JPEG, 48 Mpx': () => sized(8000, 6000).jpeg({ quality: 80 }),
  'JPEG of noise, 9 MB': () => noise(3000, 2000).jpeg({ quality: 92 }),
  'progressive JPEG, 8 Mpx': () => sized(3266, 2450).jpeg({ quality: 90, progressive: true }),
  'progressive JPEG, 16 Mpx': () => sized(4600, 3500).jpeg({ quality: 90, progressive: true }),
  'CMYK JPEG, 8 Mpx': () => sized(3266, 2450).toColourspace('cmyk').jpeg({ quality: 90 }),
  'PNG, 12 Mpx': () => sized(4000, 3000).png({ palette: true, effort: 1 }),
  'PNG of noise, 9 MB': () => noise(2000, 1570).png({ compressionLevel: 1 }),
  'interlaced PNG, 6 Mpx': () => sized(2800, 2100).png({ palette: true, effort: 1, progressive: true }),
  'WEBP, 4.5 Mpx': () => sized(2450, 1837).webp({ quality: 80, effort: 0 }),
  'WEBP with transparency, 3.5 Mpx': () =>
    sized(2160, 1620).ensureAlpha(0.9).webp({ quality: 80, effort: 0 }),
  'lossless WEBP, 2.8 Mpx': () => sized(1930, 1450).webp({ lossless: true, effort: 0 }),
  'lossless WEBP, 12 Mpx': () => sized(4000, 3000).webp({ lossless: true, effort: 0 }),
}

export async function run(values: { requests?: string }): Promise<Outcome> {
  const cases = await analyses()
  const growth = await requests(Number(values.requests ?? REQUESTS))
  return {
    table: `${cases.table}\n\n${growth.table}`,
    result: { cases: cases.result, growth: growth.result },
  }
}

/** Runs the worker's code in this process, which allows counting memories and arrays. */
async function analyses(): Promise<Outcome> {
  const memories = watchMemories()
  await buildModels()
  let networkBytes = 0
  const models = await openVisionModels(await openRuntime(), loadCodecs(), async file => {
    const model = await readModel(file)
    networkBytes += model.byteLength
    return model
  })
  const rows = []
  for (const [name, image] of Object.entries(CASES)) {
    progress(`  ${name}`)
    rows.push({
      name,
      ...(await measurePhoto(models, new Uint8Array(await image().toBuffer()), memories, networkBytes)),
    })
  }
  memories.end()
  const head = [
    'a look at',
    'body',
    'networks',
    'models',
    'decoder',
    'arrays',
    `of ${ISOLATE_MB} MB`,
    'detected',
    'cut out',
  ]
  const cells = rows.map(({ name, parts, total, seen }) => [name, ...Object.values(parts), total, ...seen])
  return { table: table([head, ...cells]), result: { rows } }
}

/**
 * Megabytes of one photo, for two analyses: detection with cutting of all faces, then a box of the smallest allowed
 * face, which requires a decode at full size. Arrays are rasters, tensors, chips, and garbage of a stage until the
 * next one.
 */
async function measurePhoto(
  opened: VisionModels,
  photo: Photo,
  memories: WatchedMemories,
  networkBytes: number,
) {
  // Compiles new modules: these have no idle decoder.
  const models = { ...opened, codecs: loadCodecs() }
  await collectGarbage()
  const known = memories.own().length
  const before = process.memoryUsage().arrayBuffers
  let arrays = 0
  const around = async <Result>(_: unknown, work: () => Promise<Result>): Promise<Result> => {
    await collectGarbage()
    const result = await work()
    arrays = Math.max(arrays, process.memoryUsage().arrayBuffers - before)
    return result
  }
  const seen: string[] = []
  for (const boxes of [[], [SMALLEST_FACE]])
    try {
      await analyzePhoto(
        models,
        photo,
        { selector: 'any', boxes },
        { ...DECODE_LIMITS, param: 'photo', wrapStage: around },
      )
      seen.push('here')
    } catch (error) {
      if (!(error instanceof ExceedsDecodeLimits)) throw error
      seen.push('in core')
    }
  const decoder = Math.max(0, ...memories.own().slice(known))
  const networks = memories.given().reduce((sum, bytes) => sum + bytes, 0)
  const parts = { body: photo.length, networks, models: networkBytes, decoder, arrays }
  const total = Object.values(parts).reduce((sum, bytes) => sum + bytes, 0)
  const inMb = Object.fromEntries(Object.entries(parts).map(([part, bytes]) => [part, fixed(bytes / MB)]))
  return { parts: inMb, total: fixed(total / MB), seen }
}

/** Collects garbage twice with a pause. Memory found by the first collection is freed with a delay. */
async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc')
  collect()
  await new Promise(resolve => setTimeout(resolve, 50))
  collect()
}

/** Resident memory of all workerd processes during valid and damaged photos of every kind, through the real service. */
async function requests(count: number): Promise<Outcome> {
  if (process.platform !== 'linux') return { table: 'skipped: it reads /proc', result: { skipped: true } }
  const service = await startService()
  try {
    const workerd = await descendantOf(service.pid, 'workerd serve')
    const api = clientOf(service.edge, service.token)
    const whole = await Promise.all(
      [
        sized(1150, 870).jpeg(),
        sized(3000, 2250).jpeg(),
        sized(1150, 870).jpeg({ progressive: true }),
        sized(900, 700).png(),
        sized(900, 700).webp({ effort: 0 }),
      ].map(async image => new Uint8Array(await image.toBuffer())),
    )
    const statuses: Record<number, number> = {}
    const rows: { requests: number; residentMb: number }[] = []
    for (let sent = 0; sent < count; ) {
      // Half of them valid, a quarter cut off, a quarter damaged.
      const damaged = fc.sample(broken, ROUND / 4)
      const photos = Array.from({ length: ROUND }, (_, i) => {
        const photo = whole[i % whole.length]!
        if (i % 4 === 0) return damaged[i / 4]!
        return i % 4 === 1 ? photo.subarray(0, photo.length * 0.45) : photo
      })
      for (const photo of photos) {
        const { status } = await api('POST', '/v0/detect', form({ photo }))
        statuses[status] = (statuses[status] ?? 0) + 1
      }
      sent += ROUND
      rows.push({ requests: sent, residentMb: Math.round(await memoryOf(workerd, 'VmRSS')) })
      progress(`  ${sent} requests: ${rows.at(-1)!.residentMb} MB`)
    }
    const shown = rows.map(({ requests, residentMb }) => [requests, residentMb])
    const head = ['requests', 'workerd, resident MB']
    return {
      table: `${table([head, ...shown])}\n\nanswers: ${JSON.stringify(statuses)}`,
      result: { rows, statuses },
    }
  } finally {
    await service.stop()
    await service.remove()
  }
}

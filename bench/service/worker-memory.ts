/** Measures an isolate's memory, of 128 MB, for the most expensive photos of each kind. */
import { randomFillSync } from 'node:crypto'
import sharp, { type Sharp } from 'sharp'
import { buildModels } from '#commands/build/models.ts'
import { PHOTO_LIMITS } from '#contract/limits/photos.ts'
import { DECODE_LIMITS } from '#edge/vision/photo-analyzer.ts'
import { readModel } from '#models/files.ts'
import { collectGarbage, type WatchedMemories, watchMemories } from '#test/support/wasm-memories.ts'
import { ExceedsDecodeLimits } from '#wasm/decode/budget.ts'
import { loadCodecs } from '#wasm/decode/codecs.node.ts'
import { analyzePhoto, openVisionModels, type VisionModels } from '#wasm/pipeline.ts'
import { openRuntime } from '#wasm/runtime/runtime.node.ts'
import { benchmark, progress } from '../benchmark.ts'
import { group } from '../photos.ts'
import { fixed, sum } from '../statistics.ts'

const MB = 2 ** 20

type Photo = Uint8Array<ArrayBuffer>

const noise = (width: number, height: number) =>
  sharp(randomFillSync(Buffer.alloc(width * height * 3)), { raw: { width, height, channels: 3 } })

const SMALLEST_FACE = { x1: 100, y1: 100, x2: 100 + PHOTO_LIMITS.faceSide, y2: 100 + PHOTO_LIMITS.faceSide }

/** Photo sizes just below the limits at which the isolate forwards a photo to core, and some above. */
const CASES: Readonly<Record<string, [make: () => Sharp | Promise<Sharp>, save: (image: Sharp) => Sharp]>> = {
  'JPEG, 1 Mpx': [() => group(1150, 870), image => image.jpeg({ quality: 90 })],
  'JPEG, 12 Mpx': [() => group(4000, 3000), image => image.jpeg({ quality: 95, chromaSubsampling: '4:4:4' })],
  'JPEG, 13 Mpx': [() => group(4160, 3120), image => image.jpeg({ quality: 90 })],
  'JPEG, 48 Mpx': [() => group(8000, 6000), image => image.jpeg({ quality: 80 })],
  'JPEG of noise, 9 MB': [() => noise(3000, 2000), image => image.jpeg({ quality: 92 })],
  'progressive JPEG, 8 Mpx': [
    () => group(3266, 2450),
    image => image.jpeg({ quality: 90, progressive: true }),
  ],
  'progressive JPEG, 16 Mpx': [
    () => group(4600, 3500),
    image => image.jpeg({ quality: 90, progressive: true }),
  ],
  'CMYK JPEG, 8 Mpx': [() => group(3266, 2450), image => image.toColourspace('cmyk').jpeg({ quality: 90 })],
  'PNG, 12 Mpx': [() => group(4000, 3000), image => image.png({ palette: true, effort: 1 })],
  'PNG of noise, 9 MB': [() => noise(2000, 1570), image => image.png({ compressionLevel: 1 })],
  'interlaced PNG, 6 Mpx': [
    () => group(2800, 2100),
    image => image.png({ palette: true, effort: 1, progressive: true }),
  ],
  'WEBP, 4.5 Mpx': [() => group(2450, 1837), image => image.webp({ quality: 80, effort: 0 })],
  'WEBP with transparency, 3.5 Mpx': [
    () => group(2160, 1620),
    image => image.ensureAlpha(0.9).webp({ quality: 80, effort: 0 }),
  ],
  'lossless WEBP, 2.8 Mpx': [() => group(1930, 1450), image => image.webp({ lossless: true, effort: 0 })],
  'lossless WEBP, 12 Mpx': [() => group(4000, 3000), image => image.webp({ lossless: true, effort: 0 })],
}

export default benchmark({
  description: 'memory of the edge worker for the most expensive photos of each kind',
  options: { only: '' },
  run: async ({ only }) => ({ cases: await analyses(new RegExp(only)) }),
})

/** Runs the worker's code in this process, which allows counting memories and arrays. */
async function analyses(only: RegExp) {
  const memories = watchMemories()
  await buildModels()
  let networkBytes = 0
  const models = await openVisionModels(await openRuntime(), loadCodecs(), async file => {
    const model = await readModel(file)
    networkBytes += model.byteLength
    return model
  })
  const networks = memories.given().length
  const rows = []
  for (const [name, [make, save]] of Object.entries(CASES)) {
    if (!only.test(name)) continue
    progress(name)
    const photo = new Uint8Array(await save(await make()).toBuffer())
    rows.push({ name, ...(await measurePhoto(models, photo, memories, { networks, networkBytes })) })
  }
  memories.end()
  return rows
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
  /** How many of the given memories belong to networks, and the bytes of their files. */
  { networks, networkBytes }: { networks: number; networkBytes: number },
) {
  // Compiles new modules: these have no idle decoder.
  const models = { ...opened, codecs: loadCodecs() }
  await collectGarbage()
  const [own, given] = [memories.own().length, memories.given().length]
  const before = process.memoryUsage().arrayBuffers
  let arrays = 0
  const wrapStage = async <Result>(_: unknown, work: () => Promise<Result>): Promise<Result> => {
    await collectGarbage()
    const result = await work()
    arrays = Math.max(arrays, process.memoryUsage().arrayBuffers - before)
    return result
  }
  const analysed = async (boxes: (typeof SMALLEST_FACE)[]) => {
    const options = { ...DECODE_LIMITS, param: 'photo', wrapStage }
    try {
      await analyzePhoto(models, photo, { selector: 'any', boxes }, options)
      return 'here'
    } catch (error) {
      if (!(error instanceof ExceedsDecodeLimits)) throw error
      return 'in core'
    }
  }
  const seen = { detected: await analysed([]), cutOut: await analysed([SMALLEST_FACE]) }
  const parts = {
    body: photo.length,
    networks: sum(memories.given().slice(0, networks)),
    models: networkBytes,
    decoder: Math.max(0, ...memories.own().slice(own), ...memories.given().slice(given)),
    arrays,
  }
  const inMb = Object.fromEntries(Object.entries(parts).map(([part, bytes]) => [part, fixed(bytes / MB)]))
  return { ...inMb, of128Mb: fixed(sum(Object.values(parts)) / MB), ...seen }
}

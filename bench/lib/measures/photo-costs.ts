/** Measures the CPU time of detection on whole photos, with decoding, and the photos per second of a typical mix. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { DECODE_LIMITS } from '#edge/vision/photo-analyzer.ts'
import { ExceedsDecodeLimits } from '#wasm/decode/budget.ts'
import { analyzePhoto } from '#wasm/pipeline.ts'
import { exists, fixed, minimum } from '../../benchmark.ts'
import { sample } from '../../harness/client.ts'
import { openTestModels } from '../../harness/vision.ts'

/** Analyses per photo. The lowest CPU time counts. */
const RUNS = 3

/** Shares of portraits, groups and crowds in the typical mix. */
const MIX = { 'portrait, 1 Mpx': 0.8, 'group, 1 Mpx': 0.15, 'crowd, 1 Mpx': 0.05 }

const PORTRAIT = { left: 1266, top: 43, width: 600, height: 600 }
const portrait = async (side: number): Promise<Sharp> =>
  sharp(
    await sharp(await sample(1))
      .extract(PORTRAIT)
      .resize(side, side)
      .toBuffer(),
  )

/** A collage with `across` copies of a photo of three people along each side. */
async function crowd(width: number, height: number, across: number): Promise<Sharp> {
  const [w, h] = [Math.floor(width / across), Math.floor(height / across)]
  const one = await sharp(await sample(1))
    .resize(w, h, { fit: 'fill' })
    .png({ compressionLevel: 1 })
    .toBuffer()
  const copies = Array.from({ length: across ** 2 }, (_, i) => ({
    input: one,
    left: (i % across) * w,
    top: Math.floor(i / across) * h,
  }))
  return sharp(
    await sharp({ create: { width, height, channels: 3, background: 'grey' } })
      .composite(copies)
      .png({ compressionLevel: 1 })
      .toBuffer(),
  )
}

const group = async (width: number, height: number) => sharp(await sample(6)).resize(width, height)

const PHOTOS: Readonly<Record<string, () => Promise<Sharp>>> = {
  'portrait, 1 Mpx': async () => (await portrait(1000)).jpeg(),
  'group, 1 Mpx': async () => (await group(1118, 895)).jpeg(),
  'crowd, 1 Mpx': async () => (await crowd(1152, 864, 4)).jpeg(),
  'portrait, 12 Mpx': async () => (await portrait(3464)).jpeg(),
  'group, 12 Mpx': async () => (await group(3873, 3100)).jpeg(),
  'collage of 108 faces, 12 Mpx': async () => (await crowd(4000, 3000, 6)).jpeg(),
  'collage of 108 faces, 24 Mpx': async () => (await crowd(6000, 4000, 6)).jpeg(),
  'collage of 300 faces, 24 Mpx': async () => (await crowd(6000, 4000, 10)).jpeg(),
  'collage of 300 faces, 12 Mpx PNG': async () => (await crowd(4000, 3000, 10)).png({ compressionLevel: 3 }),
  'no faces, 24 Mpx': async () =>
    sharp({ create: { width: 6000, height: 4000, channels: 3, background: 'grey' } }).jpeg(),
}

/** A photo, its CPU time in milliseconds, and its result. */
export interface PhotoCost {
  readonly photo: string
  readonly cpuMs: number
  readonly faces: number
  readonly limited: boolean
}

/** Measures all photos, also those that the edge would forward to core. `folder` contains further photos. */
export async function photoCosts(folder: string): Promise<PhotoCost[]> {
  const models = await openTestModels()
  const costs: PhotoCost[] = []
  const measure = async (photo: string, bytes: Uint8Array): Promise<void> => {
    const times: number[] = []
    const analysed = async () => {
      const began = process.cpuUsage()
      const seen = await analyzePhoto(models, bytes, undefined, { ...DECODE_LIMITS, param: 'photo' }).catch(
        error => {
          if (!(error instanceof ExceedsDecodeLimits)) throw error
          return analyzePhoto(models, bytes, undefined, { maxBytes: 2 ** 30, param: 'photo' })
        },
      )
      const { user, system } = process.cpuUsage(began)
      times.push((user + system) / 1000)
      return seen
    }
    for (let run = 1; run < RUNS; run++) await analysed()
    const { faces, limited } = await analysed()
    costs.push({ photo, cpuMs: fixed(minimum(times)), faces: faces.length, limited })
  }
  for (const [name, make] of Object.entries(PHOTOS))
    await measure(name, new Uint8Array(await (await make()).toBuffer()))
  const files = (await exists(folder)) ? await readdir(folder) : []
  for (const file of files.filter(name => /\.jpe?g$/.test(name)))
    await measure(file, new Uint8Array(await readFile(join(folder, file))))
  return costs
}

/** Photos per second of one thread for the typical mix. */
export const mixedPerSecond = (costs: readonly PhotoCost[]): number =>
  1000 /
  Object.entries(MIX).reduce(
    (sum, [name, share]) => sum + share * costs.find(({ photo }) => photo === name)!.cpuMs,
    0,
  )

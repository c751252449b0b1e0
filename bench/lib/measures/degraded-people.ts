/** Samples pictures of people, original and degraded, with the quality and the embedding of each face. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { ServiceError } from '#contract/errors.ts'
import type { Quality } from '#contract/model/quality.ts'
import { openEmbedder } from '#core/embedding/embedder.ts'
import { seededRandom } from '#core/vector-store/index/seeded-random.ts'
import { readerOf } from '#models/files.ts'
import { STANDARD_PACK } from '#models/packs.ts'
import { loadCodecs } from '#wasm/decode/codecs.node.ts'
import { centreOf } from '#wasm/imaging/geometry.ts'
import { analyzePhoto, openVisionModels, type SelectedFace } from '#wasm/pipeline.ts'
import { openRuntime } from '#wasm/runtime/runtime.node.ts'
import { evenly, progress } from '../../benchmark.ts'
import { DEGRADATIONS, type DegradationName, degraded } from './degrade.ts'

/** Pictures used per person. */
const PICTURES = 4

/** Severities are uniformly distributed from this value to 1. */
const LEAST_SEVERITY = 0.05

/** A picture. `face` is absent when no face is found. */
export interface Sample {
  readonly person: string
  readonly file: string
  /** The kind of degradation; undefined for the original picture. */
  readonly degradation?: DegradationName
  readonly face?: { readonly quality: Quality; readonly embedding: Float32Array; readonly norm: number }
}

/** Samples this many people from a folder with one subfolder per person. People with one picture are left out. */
export async function degradedPeople(folder: string, people: number): Promise<Sample[]> {
  const sampler = await openSampler()
  const samples: Sample[] = []
  const chosen = evenly(await withSeveralPictures(folder), people)
  for (const [i, { person, files }] of chosen.entries()) {
    for (const file of files)
      samples.push(...(await sampler.both(join(folder, person, file), { person, file }, samples.length)))
    if (i % 20 === 19) progress(`${i + 1} of ${chosen.length} people`)
  }
  await sampler.close()
  return samples
}

async function withSeveralPictures(folder: string): Promise<{ person: string; files: string[] }[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const people = entries.filter(entry => entry.isDirectory()).map(({ name }) => name)
  const all = await Promise.all(
    people.sort().map(async person => ({ person, files: await readdir(join(folder, person)) })),
  )
  return all
    .map(({ person, files }) => ({ person, files: files.filter(isPicture).sort().slice(0, PICTURES) }))
    .filter(({ files }) => files.length > 1)
}

const isPicture = (file: string): boolean => /\.(jpe?g|png|webp)$/i.test(file)

async function openSampler() {
  const models = await openVisionModels(
    await openRuntime(),
    loadCodecs(),
    readerOf(STANDARD_PACK.files),
    STANDARD_PACK,
  )
  const embedder = await openEmbedder({ threads: 1 })
  const names = Object.keys(DEGRADATIONS) as DegradationName[]

  const faceOn = async (photo: Uint8Array): Promise<SelectedFace | undefined> => {
    const asked = { selector: 'all' as const, boxes: [], quality: true }
    const seen = await analyzePhoto(models, photo, asked, { maxBytes: 2 ** 30, param: 'photo' }).catch(
      nothingFound,
    )
    const { width, height } = await sharp(photo).metadata()
    return mostCentral(seen.selected, width, height)
  }
  const measured = async ({ quality, chip }: SelectedFace): Promise<NonNullable<Sample['face']>> => {
    const [vector] = await embedder.embed([chip])
    const norm = Math.hypot(...vector!)
    return { quality: quality!, embedding: vector!.map(value => value / norm), norm }
  }

  return {
    /** The original picture, and a degraded one with kind and severity derived from the seed. */
    async both(path: string, named: Pick<Sample, 'person' | 'file'>, seed: number): Promise<Sample[]> {
      const photo = new Uint8Array(await readFile(path))
      const face = await faceOn(photo)
      if (!face) return [named]
      const random = seededRandom(seed)
      const degradation = names[Math.floor(random() * names.length)]!
      const severity = LEAST_SEVERITY + (1 - LEAST_SEVERITY) * random()
      const { data, info } = await sharp(photo).removeAlpha().raw().toBuffer({ resolveWithObject: true })
      const pixels = { data: new Uint8Array(data), width: info.width, height: info.height, face: face.box }
      const worse = await faceOn(await degraded(pixels, degradation, severity, seed))
      return [
        { ...named, face: await measured(face) },
        { ...named, degradation, ...(worse && { face: await measured(worse) }) },
      ]
    },
    close: () => embedder.close(),
  }
}

function nothingFound(error: unknown): { selected: SelectedFace[] } {
  if (!(error instanceof ServiceError) || error.code !== 'NO_FACES') throw error
  return { selected: [] }
}

function mostCentral(
  faces: readonly SelectedFace[],
  width: number,
  height: number,
): SelectedFace | undefined {
  const away = ({ box }: SelectedFace): number => {
    const { x, y } = centreOf(box)
    return Math.hypot(x - width / 2, y - height / 2)
  }
  return faces.toSorted((a, b) => away(a) - away(b))[0]
}

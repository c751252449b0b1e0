/** Samples pictures of people, original and degraded, with the quality and the embedding of each face. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import type { Quality } from '#contract/model/quality.ts'
import { openEmbedder } from '#core/embedding/embedder.ts'
import { seededRandom } from '#core/vector-store/index/seeded-random.ts'
import type { SelectedFace } from '#wasm/pipeline.ts'
import { progress } from '../../benchmark.ts'
import { evenly } from '../../statistics.ts'
import { facesOn, mostCentral, openAnalysis, picturesByPerson, pixelsOf } from './analysis.ts'
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
  const several = (await picturesByPerson(folder)).filter(([, files]) => files.length > 1)
  for (const [i, [person, files]] of evenly(several, people).entries()) {
    for (const file of files.slice(0, PICTURES))
      samples.push(...(await sampler.both(join(folder, file), { person, file }, samples.length)))
    if (i % 20 === 19) progress(`${i + 1} of ${people} people`)
  }
  await sampler.close()
  return samples
}

async function openSampler() {
  const models = await openAnalysis()
  const embedder = await openEmbedder({ threads: 1 })
  const names = Object.keys(DEGRADATIONS) as DegradationName[]
  const faceOn = async (photo: Uint8Array): Promise<SelectedFace | undefined> => {
    const { width, height } = await sharp(photo).metadata()
    return mostCentral(await facesOn(models, photo, { quality: true }), { width, height })
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
      const pixels = { ...(await pixelsOf(sharp(photo))), face: face.box }
      const worse = await faceOn(await degraded(pixels, degradation, severity, seed))
      return [
        { ...named, face: await measured(face) },
        { ...named, degradation, ...(worse && { face: await measured(worse) }) },
      ]
    },
    close: () => embedder.close(),
  }
}

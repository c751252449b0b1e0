/** Reads portraits: pictures of exactly one person with a known face box. */
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Box, width } from '#contract/model/bbox.ts'
import { readHeader, uprightSize } from '#wasm/decode/header.ts'
import type { Size } from '#wasm/detectors/detection.ts'
import { analyzePhoto, type VisionModels } from '#wasm/pipeline.ts'
import { evenly } from '../../benchmark.ts'
import { offCentre } from '../measures/choice.ts'

export interface Portrait {
  /** Content of the file. */
  readonly bytes: Buffer
  readonly size: Size
  /** Box of the face as our detector reports it. */
  readonly face: Box
}

/**
 * One portrait each of up to `count` people, taken at even distances from those with a single, central face. A
 * person's pictures lie in a folder with the person's name.
 */
export async function readPortraits(
  models: VisionModels,
  folder: string,
  count: number,
): Promise<Portrait[]> {
  const files = (await readdir(folder, { recursive: true })).filter(file => /^[^/]+\/.*\.jpe?g$/i.test(file))
  const firsts = [...Map.groupBy(files.sort(), dirname).values()].map(([first]) => first!)
  const portraits: Portrait[] = []
  for (const file of evenly(firsts, 2 * count)) {
    if (portraits.length === count) break
    const bytes = await readFile(join(folder, file))
    const size = uprightSize(readHeader(bytes))
    const [face, ...others] = await facesOn(models, bytes)
    if (face && others.length === 0 && offCentre(face, size) <= width(face))
      portraits.push({ bytes, size, face })
  }
  return portraits
}

/** All faces that an analysis reports. */
export const facesOn = async (models: VisionModels, bytes: Uint8Array): Promise<Box[]> =>
  (await analyzePhoto(models, bytes, undefined, { maxBytes: 2 ** 30, param: 'photo' })).faces

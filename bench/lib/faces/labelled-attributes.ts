/** Pictures of one face each with labels: UTKFace's file names, and folders named by emotion. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { EMOTIONS } from '#contract/model/attributes.ts'
import type { Raster } from '#wasm/imaging/image.ts'

/** Attributes of a face, labelled or estimated. */
export interface Said {
  age?: number
  gender?: string
  emotion?: string
}

/**
 * The squares of the emotion network were chosen on the first half of the emotion pictures. The second half is held
 * out.
 */
export type Half = 'chosen on' | 'kept aside'

export interface Labelled {
  path: string
  known: Said
  /** Every second picture of each kind belongs to the second half. */
  half: Half
}

/** UTKFace: the second part of a file name. */
const GENDERS: Readonly<Record<string, string>> = { 0: 'male', 1: 'female' }

/**
 * Minimum side in pixels. Emotion pictures have 48 px, too few for detectors; every contestant gets them four times
 * as large.
 */
const LEAST_SIDE = 192

/**
 * `age-gender/AGE_GENDER_*.jpg` and `emotion/NAME/*.jpg` of a folder; at most `limit` of the former and of each
 * emotion.
 */
export async function labelledPictures(
  folder: string,
  limit = Number.POSITIVE_INFINITY,
): Promise<Labelled[]> {
  const spread = (names: string[]) => {
    const step = Math.max(1, Math.ceil(names.length / limit))
    return names.sort().filter((_, i) => i % step === 0)
  }
  const aged = spread(await readdir(join(folder, 'age-gender'))).map((name, i) => {
    const [age = '', gender = ''] = name.split('_')
    return {
      path: join(folder, 'age-gender', name),
      known: { age: Number(age), gender: GENDERS[gender] ?? '' },
      half: halfOf(i),
    }
  })
  const moods = EMOTIONS.map(async emotion => {
    const names = spread(await readdir(join(folder, 'emotion', emotion)))
    return names.map((name, i) => ({
      path: join(folder, 'emotion', emotion, name),
      known: { emotion },
      half: halfOf(i),
    }))
  })
  return [...aged, ...(await Promise.all(moods)).flat()]
}

const halfOf = (index: number): Half => (index % 2 === 0 ? 'chosen on' : 'kept aside')

/** Decodes the picture, and enlarges it if it is very small. */
export async function openPicture(path: string): Promise<Raster> {
  const file = await readFile(path)
  const { width } = await sharp(file).metadata()
  const { data, info } = await sharp(file)
    .resize(Math.max(width, LEAST_SIDE), null, { kernel: 'cubic' })
    .toColourspace('srgb')
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { data: new Uint8Array(data), width: info.width, height: info.height }
}

/** Photos of single faces, cut out of sample photos in an npm package: several per person. */
import sharp from 'sharp'
import { form, type Send, sample } from '../client.ts'

export interface Person {
  name: string
  /** Photos with slightly different crops. */
  photos: Uint8Array<ArrayBuffer>[]
}

const SAMPLES = [1, 2, 3, 4, 5, 6] as const
/** Minimum longer side of a face in pixels, for reliable recognition. */
const CLEAR = 80
/** Margins added on each side, as fractions of the box, one per photo. */
const MARGINS = [0.6, 0.65, 0.7]
/** Longer side of a photo in pixels. Small photos are analyzed quickly. */
const SIDE = 240

/** Finds the faces through a running service. */
export async function people(send: Send): Promise<Person[]> {
  const found: Person[] = []
  for (const number of SAMPLES) {
    const photo = await sample(number)
    const { faces } = (await send('POST', '/v0/detect', form({ photo }))).body
    const { width, height } = await sharp(photo).metadata()
    for (const [i, { x1, y1, x2, y2 }] of faces.entries()) {
      if (Math.max(x2 - x1, y2 - y1) < CLEAR) continue
      const cut = (margin: number) => {
        const by = Math.round(margin * (x2 - x1))
        const [left, top] = [Math.max(0, x1 - by), Math.max(0, y1 - by)]
        const [right, bottom] = [Math.min(width, x2 + by), Math.min(height, y2 + by)]
        return { left, top, width: right - left, height: bottom - top }
      }
      const photos = MARGINS.map(async margin => {
        const face = sharp(photo).extract(cut(margin))
        return new Uint8Array(await face.resize(SIDE, SIDE, { fit: 'inside' }).jpeg().toBuffer())
      })
      found.push({ name: `${number}.${i}`, photos: await Promise.all(photos) })
    }
  }
  return found
}

/** The people whose photos show one face each, and all one person, according to an idle service. */
export async function distinct(all: readonly Person[], send: Send): Promise<Person[]> {
  const known = new Set<number>()
  const kept: Person[] = []
  for (const person of all) {
    const ids: number[] = []
    for (const photo of person.photos) {
      const { status, body } = await send('POST', '/v0/face', form({ photo, mf_selector: 'all' }))
      if (status === 200) ids.push(...body.results.map(({ person_id }: { person_id: number }) => person_id))
      else ids.push(Number.NaN)
    }
    const isOne = ids.length === person.photos.length && new Set(ids).size === 1 && !Number.isNaN(ids[0])
    if (isOne && !known.has(ids[0]!)) kept.push(person)
    for (const id of ids) known.add(id)
  }
  return kept
}

/** A data folder with real stores, an owner or two, and faces that are told apart by their colour. */
import { onTestFinished } from 'vitest'
import { sha256 } from '../../../core/contract/signature.ts'
import type { Question } from '../../../core/contract/wire.ts'
import { ownerNamed } from '../../../core/metadata/owners.ts'
import { enrol, type FacePixels } from '../../../core/recognition/enrol.ts'
import { type OpenParts, openParts, type Parts } from '../../../core/recognition/parts.ts'
import { temporaryFolder } from '../folder.ts'

export const OWNER = '0123456789abcdef01234567'
export const OTHER_OWNER = 'fedcba9876543210fedcba98'

/** As far from a network as can be: the mean of each third of the chip's bytes. Equal chips, equal embeddings. */
export async function embedByColour(chips: readonly Uint8Array[]): Promise<Float32Array[]> {
  return chips.map(chip => {
    const sums = new Float32Array(3)
    for (const [i, value] of chip.entries()) sums[i % 3]! += value + 1
    return sums
  })
}

export const given = {
  links: { id: 'test', key: 'a key for the links of tests' },
  embed: embedByColour,
  confidence: (score: number): number => Math.max(0, Math.min(1, score)),
}

export async function openWorld(
  data?: string,
  changed: Partial<Parts> = {},
): Promise<OpenParts & { data: string }> {
  const folder = data ?? (await temporaryFolder())
  const parts = await openParts(folder, given)
  let closed = false
  const close = async (): Promise<void> => {
    if (closed) return
    closed = true
    await parts.close()
  }
  onTestFinished(close)
  for (const [id, name] of [
    [OWNER, 'first'],
    [OTHER_OWNER, 'second'],
  ] as const) {
    await ownerNamed(parts.database, { id, name, created: 0 })
  }
  return { ...parts, ...changed, close, data: folder }
}

/** A face of one colour: its chip and a small thumbnail. */
export const faceOf = (red: number, green: number, blue: number): FacePixels => ({
  chip: plain(150, 150, [red, green, blue]),
  thumbnail: plain(40, 50, [red, green, blue]),
})

const plain = (width: number, height: number, colour: number[]) => ({
  width,
  height,
  data: Uint8Array.from({ length: width * height * 3 }, (_, i) => colour[i % 3]!),
})

export function enrolment(count: number, changed: Partial<Question<'enrol'>> = {}): Question<'enrol'> {
  return {
    owner: OWNER,
    photo: 'photo.jpg',
    photoHash: 'abcd',
    meta: '',
    galleries: [],
    faces: Array.from({ length: count }, (_, i) => ({
      box: { x1: i, y1: 2, x2: i + 60, y2: 70 },
      thumbnail: { width: 40, height: 50 },
    })),
    ...changed,
  }
}

export async function enrolOne(
  parts: Parts,
  pixels: FacePixels,
  changed: Partial<Question<'enrol'>> = {},
): Promise<number> {
  const { faces } = await enrol(parts, enrolment(1, changed), [pixels])
  return faces[0]!.id
}

/** The record of an Idempotency-Key. */
export const keyed = async (key: string, request: string) => ({
  idempotency: { key, requestHash: await sha256(request) },
})

/** All that is kept anywhere: to see that something is wholly there, or wholly gone. */
export async function kept({ vectors, pictures }: Pick<Parts, 'vectors' | 'pictures'>) {
  const found = { vectors: [] as string[], pictures: [] as string[] }
  for await (const { gallery, id } of vectors.keys()) found.vectors.push(`${gallery}/${id}`)
  for await (const { owner, id, kind } of pictures.list()) found.pictures.push(`${owner}/${id}/${kind}`)
  return { vectors: found.vectors.sort(), pictures: found.pictures.sort() }
}

/** What must be kept of these faces. */
export const keptOf = (...faces: { owner?: string; id: number; galleries?: string[] }[]) => ({
  vectors: faces
    .flatMap(({ owner = OWNER, id, galleries = [] }) =>
      ['default', ...galleries].map(gallery => `${owner}_${gallery}/${id}`),
    )
    .sort(),
  pictures: faces
    .flatMap(({ owner = OWNER, id }) => [`${owner}/${id}/normalized`, `${owner}/${id}/thumbnail`])
    .sort(),
})

/** Faces rotated in the image plane: they are detected and match their upright pictures. */
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { form, sample } from '#bench/harness/client.ts'
import { api } from '../shared.ts'

const ANGLES = [-45, -30, -15, 15, 30, 45]

describe.each([
  [3, 3],
  [5, 5],
  [6, 4],
] as const)('the faces on sample photo %i', { tags: 'long' }, (number, count) => {
  it.each(ANGLES)('are detected and verified at medium when the photo is rotated by %i degrees', async by => {
    // Detectors of upright faces may miss one face at 45 degrees.
    const least = Math.abs(by) < 45 ? count : count - 1
    const upright = await sample(number)
    const turned = new Uint8Array(await sharp(upright).rotate(by).jpeg({ quality: 92 }).toBuffer())
    const { status, body } = await api(
      'POST',
      '/v0/verify',
      form({ photo1: upright, photo2: turned, mf_selector: 'all', threshold: 'medium' }),
    )
    expect(status).toBe(200)
    expect(body.results.length).toBeGreaterThanOrEqual(count * least)
    if (least === count) expect(body.verified).toBe(true)
    // Each face of the rotated photo matches a face of the upright photo.
    const known = body.results.filter(({ verified }: { verified: boolean }) => verified)
    expect(
      new Set(known.map(({ bbox2 }: { bbox2: object }) => JSON.stringify(bbox2))).size,
    ).toBeGreaterThanOrEqual(least)
  })
})

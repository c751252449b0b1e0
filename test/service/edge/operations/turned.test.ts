/** Faces that are turned in the plane of the photo: found, and known again by their upright pictures. */
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { form, sample } from '../../../../bench/harness/client.ts'
import { api } from '../shared.ts'

const ANGLES = [-45, -30, -15, 15, 30, 45]

describe.each([
  [3, 3],
  [5, 5],
  [6, 4],
] as const)('the faces on sample photo %i', (number, count) => {
  it.each(ANGLES)('are found and verified at medium when it is turned by %i degrees', async by => {
    // Upright detectors see little of a face at 45 degrees: one of them may be missed.
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
    // Each face of the turned photo is one of the upright photo's, too.
    const known = body.results.filter(({ verified }: { verified: boolean }) => verified)
    expect(
      new Set(known.map(({ bbox2 }: { bbox2: object }) => JSON.stringify(bbox2))).size,
    ).toBeGreaterThanOrEqual(least)
  })
})

import { join } from 'node:path'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { SAMPLES, sample } from '#bench/harness/client.ts'
import { newToken } from '#bench/harness/tokens.ts'
import { boxOf, type Face, MienClient, MienError } from '#clients/typescript/src/index.ts'

const PHOTO = join(SAMPLES, 'sample1.jpg')
/** The biggest face of sample3 is the one at this place of sample1. */
const SAME = { x1: 1467, y1: 227, x2: 1675, y2: 428 }
const medium = { threshold: 'medium' } as const

const freshClient = (owner: string): MienClient =>
  new MienClient({ url: inject('edge'), token: newToken(inject('data'), owner) })

/** The code of the refusal of a call. */
const codeOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'no refusal',
    (error: unknown) => (error instanceof MienError ? error.code : error),
  )

describe('the TypeScript client', () => {
  const mien = freshClient('TypeScript client')
  let ann: Face
  beforeAll(async () => {
    await mien.galleries.create('staff')
    const photo = new Blob([await sample(3)])
    ann = (await mien.faces.enrol(photo, { meta: 'Ann/1', galleries: ['staff'], quality: true }))[0]!
  })

  it('detects the faces of a path, bytes, a Blob and a URL', async () => {
    const bytes = await sample(1)
    const url = `data:image/jpeg;base64,${Buffer.from(bytes).toString('base64')}`
    for (const photo of [PHOTO, bytes, new Blob([bytes]), url]) {
      const { faces, orientation } = await mien.detect(photo, { quality: true })
      expect([faces.length, orientation, typeof faces[0]!.quality!.sharpness]).toEqual([3, 1, 'number'])
    }
  })

  it('lets the service fetch the photo of a URL', async () => {
    const url = new URL(`http://${inject('photoHost')}/sample3.jpg`)
    expect((await mien.detect(url)).faces.length).toBeGreaterThan(0)
  })

  it('verifies a face in a box', async () => {
    const { verified, results } = await mien.verify(PHOTO, await sample(3), { bbox1: [SAME], ...medium })
    expect([verified, results.length]).toEqual([true, 1])
  })

  it('enrols with galleries and quality, and once under one key', async () => {
    expect(ann).toMatchObject({ meta: 'Ann/1', galleries: ['default', 'staff'], photo: 'photo' })
    expect(ann.quality!.quality).toBeGreaterThan(0.5)
    const enrol = () => mien.faces.enrol(PHOTO, { meta: 'Bob' }, { idempotencyKey: 'TypeScript client' })
    expect((await enrol())[0]!.id).toBe((await enrol())[0]!.id)
  })

  it('identifies in all galleries and in one', async () => {
    const search = { ...medium, mf_selector: 'all' } as const
    for (const gallery of ['default', 'staff']) {
      const { results } = await mien.identify(PHOTO, { ...search, n: 5, gallery })
      const found = Object.entries(results).filter(([, matches]) =>
        matches.some(({ face }) => face.id === ann.id),
      )
      expect(found.map(([key]) => boxOf(key))).toEqual([SAME])
    }
    expect(await codeOf(mien.identify(PHOTO, { gallery: 'nobody' }))).toBe('BAD_PARAM')
  })

  it('lists, reads and changes faces', async () => {
    const metas = async (filter: object) => (await mien.faces.list(filter).toArray()).map(({ meta }) => meta)
    expect(await metas({ pageSize: 1 })).toEqual(['Bob', 'Ann/1'])
    expect(await metas({ gallery: 'staff' })).toEqual(['Ann/1'])
    expect(await metas({ meta: 'Ann/1' })).toEqual(['Ann/1'])
    expect(await metas({ meta: 'Ann/1', gallery: 'staff' })).toEqual(['Ann/1'])
    expect(await metas({ meta: 'ann/1' })).toEqual([])
    await mien.faces.update(ann.id, { meta: 'Ann', galleries: { del: ['staff'] } })
    expect(await mien.faces.get(ann.id)).toMatchObject({ meta: 'Ann', galleries: ['default'] })
    await mien.faces.update(ann.id, { galleries: { add: ['staff'] } })
  })

  it('throws refusals with the boxes of the faces, the parameter and the id of the request', async () => {
    const several = mien.detect(PHOTO, { min_liveness: 2 })
    await expect(several).rejects.toMatchObject({ status: 400, code: 'BAD_PARAM', param: 'min_liveness' })
    const rejected = mien.faces.enrol(PHOTO, { mf_selector: 'reject' })
    await expect(rejected).rejects.toMatchObject({
      code: 'TOO_MANY_FACES',
      faces: expect.arrayContaining([SAME]),
      requestId: expect.stringMatching(/./),
    })
    const stranger = new MienClient({ url: inject('edge'), token: 'mien_unknown' })
    expect(await codeOf(stranger.faces.get(1))).toBe('AUTH_FAILED')
  })
})

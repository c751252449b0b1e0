/** Liveness over HTTP: what it adds, what it refuses, and that answers without it are unchanged. */
import { beforeAll, describe, expect, it } from 'vitest'
import { type Field, form, sample } from '#bench/harness/client.ts'
import { LivenessScore } from '#contract/model/liveness.ts'
import { printedFace } from '#test/printed.ts'
import { freshApi, isBox } from '../shared.ts'

const api = freshApi()
let people: Uint8Array<ArrayBuffer>
let print: Uint8Array<ArrayBuffer>
beforeAll(async () => {
  people = await sample(1)
  print = await printedFace()
})

const REFUSAL = {
  code: 'LIVENESS_FAILED',
  reason: expect.stringMatching(/^The face at \[\d+, \d+, \d+, \d+\] looks like a print or a screen\./),
}

describe('POST /detect', () => {
  it.each(['/v0', '/v1', ''])('%s with liveness adds a score to each face', async prefix => {
    const { status, body } = await api('POST', `${prefix}/detect`, form({ photo: people, liveness: '1' }))
    expect(status).toBe(200)
    expect(body.faces).toHaveLength(3)
    for (const { liveness, ...box } of body.faces) {
      expect(isBox(box)).toBe(true)
      expect(LivenessScore.parse(liveness)).toBeGreaterThan(0.9)
    }
  })

  it('scores a print low, also within a box of the request', async () => {
    const [face] = (await api('POST', '/detect', form({ photo: print, liveness: '1' }))).body.faces
    expect(face.liveness).toBeLessThan(0.1)
    const { liveness, ...bbox } = face
    const again = await api(
      'POST',
      '/detect',
      form({ photo: print, bbox: JSON.stringify(bbox), liveness: '1' }),
    )
    expect(again.body.faces[0].liveness).toBeCloseTo(liveness, 1)
  })

  it('omits the score with min_liveness alone or without liveness', async () => {
    for (const asked of [{}, { liveness: '0' }, { min_liveness: '0.5' }, { min_liveness: '' }]) {
      const { status, body } = await api('POST', '/detect', form({ photo: people, ...asked }))
      expect(status).toBe(200)
      expect(body.faces.every(isBox)).toBe(true)
    }
  })
})

describe('min_liveness', () => {
  it.each([
    { operation: '/detect', photos: { photo: 'print' } },
    { operation: '/face', photos: { photo: 'print' } },
    { operation: '/identify', photos: { photo: 'print' } },
    { operation: '/faces/gallery/default/identify', photos: { photo: 'print' } },
    { operation: '/verify', photos: { photo1: 'print', photo2: 'people' } },
    { operation: '/verify', photos: { photo1: 'people', photo2: 'print' } },
  ])('refuses a print: $operation of $photos', async ({ operation, photos }) => {
    const sent: Record<string, Field> = { min_liveness: '0.5' }
    for (const [name, what] of Object.entries(photos)) sent[name] = what === 'print' ? print : people
    const { status, body } = await api('POST', `/v0${operation}`, form(sent))
    expect(status).toBe(400)
    const [param] = Object.entries(photos).find(([, what]) => what === 'print')!
    expect(body).toMatchObject({ ...REFUSAL, param })
    expect((await api('GET', '/v0/faces')).body.results).toEqual([])
  })

  it.each(['-0.1', '1.1', 'NaN', 'yes', '[0.5]', '{}', '1e999'])('refuses the value %s', async value => {
    const { status, body } = await api('POST', '/v0/face', form({ photo: people, min_liveness: value }))
    expect(status).toBe(400)
    expect(body).toMatchObject({ code: 'BAD_PARAM', param: 'min_liveness' })
  })

  it('of 0 accepts a print', async () => {
    expect((await api('POST', '/v0/detect', form({ photo: print, min_liveness: '0' }))).status).toBe(200)
  })
})

describe('liveness', () => {
  it('is stored with an enrolled face and answered now and later', async () => {
    const owner = freshApi()
    const asked = form({ photo: people, liveness: 'true', min_liveness: '0.9' })
    const key = { 'idempotency-key': 'liveness' }
    const { status, body } = await owner('POST', '/v0/face', asked, key)
    expect(status).toBe(200)
    const [face] = body.results
    expect(LivenessScore.parse(face.liveness)).toBeGreaterThan(0.9)
    expect((await owner('GET', `/v0/face/id/${face.id}`)).body.liveness).toBe(face.liveness)
    const again = form({ photo: people, liveness: 'true', min_liveness: '0.9' })
    expect((await owner('POST', '/v0/face', again, key)).body.results[0].liveness).toBe(face.liveness)
  })

  it('is not stored when only min_liveness is given', async () => {
    const { body } = await freshApi()('POST', '/v0/face', form({ photo: people, min_liveness: '0.9' }))
    expect(body.results[0]).not.toHaveProperty('liveness')
  })

  it('stands beside the matches of identify, under the same box keys', async () => {
    const asked = { photo: people, mf_selector: 'all', liveness: '1' }
    const { body } = await api('POST', '/v0/identify', form(asked))
    expect(Object.keys(body.liveness)).toEqual(Object.keys(body.results))
    for (const liveness of Object.values(body.liveness)) expect(liveness).toBeGreaterThan(0.9)
    const { body: plain } = await api('POST', '/v0/identify', form({ photo: people }))
    expect(plain).not.toHaveProperty('liveness')
  })

  it('stands beside the boxes of verify', async () => {
    const photos = { photo1: people, photo2: print }
    const [pair] = (await api('POST', '/v0/verify', form({ ...photos, liveness: '1' }))).body.results
    expect(pair.liveness1).toBeGreaterThan(0.9)
    expect(pair.liveness2).toBeLessThan(0.1)
    const [plain] = (await api('POST', '/v0/verify', form(photos))).body.results
    expect(Object.keys(plain)).toEqual(['bbox1', 'bbox2', 'confidence', 'verified'])
  })
})

import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Field, form, type Send, sample } from '#bench/harness/client.ts'
import { FaceSchema } from '#contract/model/face.ts'
import { api, freshApi, isBox, otherApi } from '../shared.ts'

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}$/

describe('POST /face', () => {
  let photo: Uint8Array<ArrayBuffer>
  beforeAll(async () => {
    photo = await sample(3)
  })
  const post = (fields: Record<string, Field> = {}, headers: HeadersInit = {}, send = api) =>
    send('POST', '/v0/face', form({ photo, ...fields }), headers)

  it('stores the biggest face and answers all its fields', async () => {
    const { status, body } = await post({ photo: { bytes: photo, name: 'three.jpg' }, meta: 'Ann' })
    expect(status).toBe(200)
    expect(body.results).toHaveLength(1)
    const face = FaceSchema.parse(body.results[0])
    expect(face).toMatchObject({ photo: 'three.jpg', meta: 'Ann', galleries: ['default'], friend: false })
    expect(face.timestamp).toMatch(TIME)
    expect(face.photo_hash).toMatch(/^([0-9a-f]{2})+$/)
    expect(isBox({ x1: face.x1, y1: face.y1, x2: face.x2, y2: face.y2 })).toBe(true)
    expect(Object.keys(face)).not.toContain('person_id')
  })

  it('stores all faces with one meta for mf_selector=all, and equal hashes for equal photos', {
    tags: 'long',
  }, async () => {
    const { body } = await post({ meta: 'all', mf_selector: 'all' })
    expect(body.results.map((face: { meta: string }) => face.meta)).toEqual(['all', 'all', 'all'])
    expect(new Set(body.results.map((face: { id: number }) => face.id)).size).toBe(3)
    const again = await post()
    expect(again.body.results[0].photo_hash).toBe(body.results[0].photo_hash)
    expect(again.body.results[0].meta).toBe('')
  })

  it('refuses several faces with mf_selector=reject, with their boxes and the numeric code', async () => {
    const { status, body } = await post({ mf_selector: 'reject' })
    expect(status).toBe(400)
    expect(body).toMatchObject({ code: 400, reason: 'Too many faces: 3' })
    expect(body.faces).toHaveLength(3)
    expect(body.faces.every(isBox)).toBe(true)
  })

  it('answers signed picture links that load without a token, and 404 without the signature', async () => {
    const { body } = await post()
    for (const [link, type] of [
      [body.results[0].thumbnail, 'image/jpeg'],
      [body.results[0].normalized, 'image/png'],
    ]) {
      const picture = await fetch(link)
      expect(picture.status).toBe(200)
      expect(picture.headers.get('content-type')).toBe(type)
      expect(picture.headers.get('x-content-type-options')).toBe('nosniff')
      expect(picture.headers.get('cache-control')).toBe('private, no-store')
      expect((await picture.arrayBuffer()).byteLength).toBeGreaterThan(1000)
      const other = (_: string, first: string) => `signature=${first === 'x' ? 'y' : 'x'}`
      for (const bad of [link.replace(/signature=(.)/, other), link.replace('expires=', 'expires=9')])
        expect((await fetch(bad)).status).toBe(404)
      expect((await fetch(link.split('?')[0])).status).toBe(404)
    }
  })

  it('refuses an unknown gallery, and stores nothing', async () => {
    const fresh = freshApi()
    const refused = await post({ galleries: 'unknown-one' }, {}, fresh)
    expect(refused).toMatchObject({ status: 400, body: { code: 'BAD_PARAM', param: 'galleries' } })
    expect((await fresh('GET', '/v0/faces')).body).toEqual({ results: [], prev_page: null, next_page: null })
  })

  it('answers a repeated Idempotency-Key with the first answer', async () => {
    const headers = { 'Idempotency-Key': randomUUID() }
    const first = await post({ meta: 'once' }, headers)
    const second = await post({ meta: 'once' }, headers)
    expect(second.body.results[0].id).toBe(first.body.results[0].id)
    const other = await post({ meta: 'twice' }, headers)
    expect(other.body).toMatchObject({ code: 'BAD_PARAM', param: 'Idempotency-Key' })
  })

  it('refuses a photo without a face as NO_FACES, naming the photo', async () => {
    const wall = sharp({ create: { width: 400, height: 400, channels: 3, background: '#887' } })
    const { status, body } = await post({ photo: new Uint8Array(await wall.png().toBuffer()) })
    expect(status).toBe(400)
    expect(body).toMatchObject({ code: 'NO_FACES', param: 'photo' })
  })
})

describe('GET and DELETE /face/id', () => {
  let id: number
  beforeAll(async () => {
    id = (await api('POST', '/v0/face', form({ photo: await sample(4), meta: 'Bob' }))).body.results[0].id
  })

  it.each(['1', 'abc', '9007199254740993', '%00'])('answers 404 for the id %s', async unknown => {
    for (const method of ['GET', 'DELETE']) {
      const { status, body } = await api(method, `/v0/face/id/${unknown}`)
      expect({ status, code: body.code }).toEqual({ status: 404, code: 'NOT_FOUND' })
    }
  })

  it("answers 404 for another owner's face, and does not delete it", async () => {
    for (const method of ['GET', 'DELETE'])
      expect((await otherApi(method, `/v0/face/id/${id}`)).status).toBe(404)
    expect(FaceSchema.parse((await api('GET', `/v0/face/id/${id}`)).body)).toMatchObject({ id, meta: 'Bob' })
  })

  it('deletes a face with its pictures, and answers 404 afterwards', async () => {
    const face = (await api('GET', `/v0/face/id/${id}`)).body
    const gone = await api('DELETE', `/v0/face/id/${id}`)
    expect({ status: gone.status, body: gone.body }).toEqual({ status: 204, body: undefined })
    expect((await api('GET', `/v0/face/id/${id}`)).status).toBe(404)
    expect((await api('DELETE', `/v0/face/id/${id}`)).status).toBe(404)
    expect((await fetch(face.thumbnail)).status).toBe(404)
    expect((await fetch(face.normalized)).status).toBe(404)
  })
})

describe('GET /faces', () => {
  let fresh: Send
  const ids: number[] = []
  beforeAll(async () => {
    fresh = freshApi()
    const photo = await sample(6)
    for (let i = 0; i < 2; i++) {
      const { body } = await fresh('POST', '/v0/face', form({ photo, mf_selector: 'all' }))
      ids.unshift(...body.results.map((face: { id: number }) => face.id).reverse())
    }
  })

  const page = async (path: string) => {
    const { results, prev_page, next_page } = (await fresh('GET', path)).body
    const faces = (results as unknown[]).map(face => FaceSchema.parse(face).id)
    return { faces, prev: prev_page as string | null, next: next_page as string | null }
  }

  it('pages forward to the end and back to the start', async () => {
    const first = await page('/v0/faces?limit=3')
    expect(first.next).toMatch(/^\/v0\/faces\?.*max_id=\d+/)
    const second = await page(first.next!)
    const third = await page(second.next!)
    expect([first.prev, third.next]).toEqual([null, null])
    expect([first, second, third].map(({ faces }) => faces)).toEqual([
      ids.slice(0, 3),
      ids.slice(3, 6),
      ids.slice(6, 8),
    ])
    const back = await page(third.prev!)
    expect(back.faces).toEqual(second.faces)
    expect((await page(back.prev!)).faces).toEqual(first.faces)
  })
})

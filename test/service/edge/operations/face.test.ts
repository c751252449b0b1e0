import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Send } from '#bench/harness/client.ts'
import { form, sample } from '#bench/harness/client.ts'
import { FaceSchema } from '#contract/model/face.ts'
import { api, freshApi, isBox, otherApi } from '../shared.ts'

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}$/

describe('POST /face', () => {
  let photo: Uint8Array<ArrayBuffer>
  beforeAll(async () => {
    photo = await sample(3)
  })

  it('stores the biggest face and answers all its fields', async () => {
    const { status, body } = await api(
      'POST',
      '/v0/face',
      form({ photo: { bytes: photo, name: 'three.jpg' }, meta: 'Ann' }),
    )
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
    const { body } = await api('POST', '/v0/face', form({ photo, meta: 'all', mf_selector: 'all' }))
    expect(body.results.map((face: { meta: string }) => face.meta)).toEqual(['all', 'all', 'all'])
    expect(new Set(body.results.map((face: { id: number }) => face.id)).size).toBe(3)
    const again = await api('POST', '/v0/face', form({ photo }))
    expect(again.body.results[0].photo_hash).toBe(body.results[0].photo_hash)
    expect(again.body.results[0].meta).toBe('')
  })

  it('refuses several faces with mf_selector=reject, with their boxes and the numeric code', async () => {
    const { status, body } = await api('POST', '/v0/face', form({ photo, mf_selector: 'reject' }))
    expect(status).toBe(400)
    expect(body).toMatchObject({ code: 400, reason: 'Too many faces: 3' })
    expect(body.faces).toHaveLength(3)
    expect(body.faces.every(isBox)).toBe(true)
  })

  it('stores the boxes of the request in every notation', { tags: 'long' }, async () => {
    const { faces } = (await api('POST', '/v0/detect', form({ photo }))).body
    const [first, second] = faces
    const spellings: [unknown, unknown[]][] = [
      [first, [first]],
      [[first.x1, first.y1, first.x2, first.y2], [first]],
      [
        [second, first],
        [second, first],
      ],
    ]
    for (const [bbox, expected] of spellings) {
      const { status, body } = await api('POST', '/v0/face', form({ photo, bbox: JSON.stringify(bbox) }))
      expect(status).toBe(200)
      expect(body.results.map(({ x1, y1, x2, y2 }: Record<string, number>) => ({ x1, y1, x2, y2 }))).toEqual(
        expected,
      )
    }
  })

  it('stores timestamp and detectorParams of a camera client, and ignores face0', async () => {
    const sent = { timestamp: '2017-05-17T08:58:00.930572', detectorParams: '{"score": 0.9}', face0: 'x' }
    const { body } = await api('POST', '/v0/face', form({ photo, ...sent }))
    expect(body.results[0]).toMatchObject({ timestamp: sent.timestamp, detector_info: { score: 0.9 } })
  })

  it('answers signed picture links that load without a token, and 404 without the signature', async () => {
    const { body } = await api('POST', '/v0/face', form({ photo }))
    for (const [link, type] of [
      [body.results[0].thumbnail, 'image/jpeg'],
      [body.results[0].normalized, 'image/png'],
    ]) {
      const picture = await fetch(link)
      expect(picture.status).toBe(200)
      expect(picture.headers.get('content-type')).toBe(type)
      expect(picture.headers.get('x-content-type-options')).toBe('nosniff')
      expect((await picture.arrayBuffer()).byteLength).toBeGreaterThan(1000)
      expect(
        (
          await fetch(
            link.replace(
              /signature=(.)/,
              (_: string, first: string) => `signature=${first === 'x' ? 'y' : 'x'}`,
            ),
          )
        ).status,
      ).toBe(404)
      expect((await fetch(link.split('?')[0])).status).toBe(404)
    }
  })

  it('answers a repeated Idempotency-Key with the first answer', async () => {
    const headers = { 'Idempotency-Key': randomUUID() }
    const first = await api('POST', '/v0/face', form({ photo, meta: 'once' }), headers)
    const second = await api('POST', '/v0/face', form({ photo, meta: 'once' }), headers)
    expect(second.body.results[0].id).toBe(first.body.results[0].id)
    const other = await api('POST', '/v0/face', form({ photo, meta: 'twice' }), headers)
    expect(other.body).toMatchObject({ code: 'BAD_PARAM', param: 'Idempotency-Key' })
  })

  it('answers a repeated Idempotency-Key with the faces as they are now, without deleted ones', {
    tags: 'long',
  }, async () => {
    const headers = { 'Idempotency-Key': randomUUID() }
    const send = async () =>
      (await api('POST', '/v0/face', form({ photo, meta: 'first', mf_selector: 'all' }), headers)).body
        .results
    const [changed, gone, same] = await send()
    await api('PUT', `/v0/face/id/${changed.id}`, { meta: 'second' })
    await api('DELETE', `/v0/face/id/${gone.id}`)
    expect(await send()).toEqual([{ ...changed, meta: 'second' }, same])
  })

  it.each([
    [{ mf_selector: 'smallest' }, 'mf_selector'],
    [{ bbox: '[1,2,3]' }, 'bbox'],
    [{ bbox: '[100,100,140,140]' }, 'bbox'],
    [{ bbox: '[[100,100,200,200],[-200,100,-100,200]]' }, 'bbox'],
    [{ timestamp: '9999-12-31' }, 'timestamp'],
    [{ galleries: 'a gallery' }, 'galleries'],
    [{ galleries: 'unknown-one' }, 'galleries'],
    [{ timestamp: 'yesterday' }, 'timestamp'],
    [{ detectorParams: '{' }, 'detectorParams'],
    [{ cam_id: 'door' }, 'cam_id'],
    [{ cam_id: randomUUID() }, 'cam_id'],
    [{ meta: 'x'.repeat(5000) }, 'meta'],
  ])('refuses %j as BAD_PARAM naming %s, and stores nothing', async (sent, param) => {
    const fresh = freshApi()
    const { status, body } = await fresh(
      'POST',
      '/v0/face',
      form({ photo, ...(sent as Record<string, string>) }),
    )
    expect(status).toBe(400)
    expect(body).toMatchObject({ code: 'BAD_PARAM', param })
    expect((await fresh('GET', '/v0/faces')).body.results).toEqual([])
  })

  it('refuses a photo without a face as NO_FACES, naming the photo', async () => {
    const sharp = (await import('sharp')).default
    const wall = await sharp({ create: { width: 400, height: 400, channels: 3, background: '#887' } })
      .png()
      .toBuffer()
    const { status, body } = await api('POST', '/v0/face', form({ photo: new Uint8Array(wall) }))
    expect(status).toBe(400)
    expect(body).toMatchObject({ code: 'NO_FACES', param: 'photo' })
  })
})

describe('GET and DELETE /face/id', () => {
  let id: number
  beforeAll(async () => {
    id = (await api('POST', '/v0/face', form({ photo: await sample(4), meta: 'Bob' }))).body.results[0].id
  })

  it.each(['/v0/face/id/', '/v1/face/id/', '/face/id/', '/v0/faces/id/'])(
    'reads a face at %s',
    async path => {
      const { status, body } = await api('GET', `${path}${id}/`)
      expect(status).toBe(200)
      expect(FaceSchema.parse(body)).toMatchObject({ id, meta: 'Bob' })
    },
  )

  it.each(['1', '0', 'abc', '-1', '1.5', '99999999999999999999', '9007199254740993', '%00'])(
    'answers 404 for the id %s',
    async unknown => {
      for (const method of ['GET', 'DELETE']) {
        const { status, body } = await api(method, `/v0/face/id/${unknown}`)
        expect({ status, code: body.code }).toEqual({ status: 404, code: 'NOT_FOUND' })
      }
    },
  )

  it("answers 404 for another owner's face, and does not delete it", async () => {
    for (const method of ['GET', 'DELETE'])
      expect((await otherApi(method, `/v0/face/id/${id}`)).status).toBe(404)
    expect((await api('GET', `/v0/face/id/${id}`)).status).toBe(200)
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
    for (let i = 0; i < 3; i++) {
      const { body } = await fresh('POST', '/v0/face', form({ photo, mf_selector: 'all' }))
      ids.unshift(...body.results.map((face: { id: number }) => face.id).reverse())
    }
  })

  it('lists all faces, newest first', async () => {
    const { status, body } = await fresh('GET', '/v0/faces/')
    expect(status).toBe(200)
    expect(body.results.map((face: { id: number }) => face.id)).toEqual(ids)
    expect(ids).toEqual([...ids].sort((a, b) => b - a))
    expect(body).toMatchObject({ prev_page: null, next_page: null })
    for (const face of body.results) FaceSchema.parse(face)
  })

  it('pages forward to the end and back to the start', async () => {
    const seen: number[][] = []
    let path: string | null = '/v0/faces?limit=5'
    let last = path
    while (path !== null) {
      const { body }: { body: { results: { id: number }[]; next_page: string | null } } = await fresh(
        'GET',
        path,
      )
      seen.push(body.results.map(face => face.id))
      last = path
      path = body.next_page
      if (path !== null) expect(path).toMatch(/^\/v0\/faces\?.*max_id=\d+/)
    }
    expect(seen.map(page => page.length)).toEqual([5, 5, 2])
    expect(seen.flat()).toEqual(ids)
    const back: number[][] = [seen.at(-1)!]
    for (path = (await fresh('GET', last)).body.prev_page; path !== null; ) {
      const { body }: { body: { results: { id: number }[]; prev_page: string | null } } = await fresh(
        'GET',
        path,
      )
      back.unshift(body.results.map(face => face.id))
      path = body.prev_page
    }
    expect(back).toEqual(seen)
  })

  it('ignores junk after the query', async () => {
    const { body } = await fresh('GET', `/v0/faces?max_id=${ids[0]}&/`)
    expect(body.results.map((face: { id: number }) => face.id)).toEqual(ids.slice(1))
  })

  it.each(['limit=0', 'limit=1001', 'limit=x', 'max_id=-1', 'max_id=1.5', 'min_id=x'])(
    'refuses ?%s as BAD_PARAM',
    async query => {
      const { status, body } = await fresh('GET', `/v0/faces?${query}`)
      expect(status).toBe(400)
      expect(body).toMatchObject({ code: 'BAD_PARAM', param: query.split('=')[0] })
    },
  )

  it('lists no faces of other owners', async () => {
    const { body } = await freshApi()('GET', '/v0/faces')
    expect(body).toEqual({ results: [], prev_page: null, next_page: null })
  })
})

import { boxOf, MienClient } from '#clients/typescript/src/index.ts'
import { expectUploads, refused, scriptedServer } from '../scripted-server.ts'

const photo = new Uint8Array([1])
const camera = '709d6c9d-9ab9-442f-8e31-40c49d38fa30'

describe('the client', () => {
  it('sends parameters as fields: structures as JSON, undefined not at all', async () => {
    await using server = await scriptedServer({ body: { results: [] } })
    const box = { x1: 1, y1: 2, x2: 60, y2: 70 }
    const detectorParams = 'fast'
    await server.client.faces.enrol(photo, { bbox: [box], quality: true, detectorParams, meta: undefined })
    const { body, headers } = server.asked[0]!
    const form = await new Response(Buffer.from(body, 'latin1'), {
      headers: { 'content-type': headers['content-type']! },
    }).formData()
    const { photo: file, ...fields } = Object.fromEntries(form)
    expect(file).toBeInstanceOf(File)
    expect(fields).toEqual({ bbox: JSON.stringify([box]), quality: 'true', detectorParams: '"fast"' })
  })

  it('tells how many faces a photo shows when one of several was enrolled, once for all attempts', async () => {
    const several = { headers: { 'x-faces-seen': '3' }, body: { results: [{ id: 1 }] } }
    await using server = await scriptedServer(refused(503, 'SERVICE_UNAVAILABLE'), several, {
      body: { results: [{ id: 2 }] },
    })
    const told: number[] = []
    const onFacesSeen = (faces: number) => told.push(faces)
    for (const id of [1, 2])
      expect(await server.client.faces.enrol(photo, {}, { onFacesSeen })).toEqual([{ id }])
    expect(told).toEqual([3])
  })

  it.each([
    [{ meta: 'Ann' }, '/v1/faces?meta=Ann'],
    [{ meta: 'Ann', pageSize: 9 }, '/v1/faces?meta=Ann&limit=9'],
    [{ meta: '', max_id: 7, gallery: 'staff' }, '/v1/faces/gallery/staff?meta=&max_id=7'],
    [
      { person_id: 0, friend: false, cam_id: [camera, camera], start: '2026-01-01', meta: undefined },
      `/v1/faces?person_id=0&friend=false&cam_id=${encodeURIComponent(JSON.stringify([camera, camera]))}&start=2026-01-01`,
    ],
  ])('lists faces by the filter %j', async (filter, path) => {
    await using server = await scriptedServer({ body: { results: [] } })
    await server.client.faces.list(filter).toArray()
    expect(server.asked[0]!.path).toBe(path)
  })

  it('sends several fields beside photos, JSON without one, and returns a picture as a Blob', async () => {
    const picture = { headers: { 'content-type': 'image/jpeg' }, body: 'JPEG' }
    await using server = await scriptedServer({}, {}, {}, {}, picture)
    const { client, asked } = server
    await client.verifyPerson(photo, 7, { threshold: 'strict' })
    await client.cameras.lease('c', { watcher: 'hall' })
    await client.cameras.lease('c', { watcher: 'hall', picture: photo })
    await client.faces.putFootage(7, 'clip', photo)
    expect(await (await client.cameras.picture('c')).text()).toBe('JPEG')
    expectUploads(asked)
  })

  it('names the option that is missing', () => {
    const url = 'http://127.0.0.1:8787'
    expect(() => new MienClient({ url: undefined, token: 'mien_x' })).toThrow('url: missing.')
    expect(() => new MienClient({ url, token: undefined })).toThrow('token: missing.')
  })

  it.each(['', '.', '..'])('refuses the name %j, which would address another path', async name => {
    await using server = await scriptedServer({})
    const { faces, galleries, metas, cameras } = server.client
    for (const call of [
      () => faces.deleteWithMeta('Ann', { gallery: name }),
      () => faces.list({ gallery: name }),
      () => metas.list({ gallery: name }),
      () => galleries.delete(name),
      () => cameras.delete(name),
    ])
      expect(call).toThrow(TypeError)
    expect(server.asked).toEqual([])
  })

  it('reads the boxes in the keys of identify', () => {
    expect(boxOf('[-1, 2, 30, 40]')).toEqual({ x1: -1, y1: 2, x2: 30, y2: 40 })
    for (const key of ['', '[1, 2, 3]', '[1,2,3,4]', '[1, 2, 3, x]'])
      expect(() => boxOf(key)).toThrow(TypeError)
  })
})

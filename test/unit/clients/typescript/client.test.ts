import { inspect } from 'node:util'
import {
  boxOf,
  MienClient,
  MienError,
  MienNetworkError,
  MienTimeoutError,
} from '#clients/typescript/src/index.ts'
import { delayMs } from '#clients/typescript/src/send.ts'
import { type Call, clientScenarios } from '../scenarios.ts'
import { expectUploads, type Reply, refusal, scriptedServer, TOKEN } from '../scripted-server.ts'

const photo = new Uint8Array([1, 2, 3])
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
    await using server = await scriptedServer(refusal(503, 'SERVICE_UNAVAILABLE'), several, {
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

/** The error of a call against this reply. */
async function errorOf(reply: Reply): Promise<Error> {
  await using server = await scriptedServer(reply)
  const client = new MienClient({ url: server.url, token: TOKEN, retries: 0 })
  return await client.faces.get(1).then(
    () => new Error('The call succeeded.'),
    (error: Error) => error,
  )
}

describe('a refusal', () => {
  it('has status, code, reason, parameter and the id of the request', async () => {
    const body = { code: 'BAD_PARAM', reason: 'n: expected a number.', param: 'n', value: 'x' }
    const reply = { status: 400, headers: { 'x-request-id': 'r7' }, body }
    expect(await errorOf(reply)).toMatchObject({
      name: 'MienError',
      message: '400 BAD_PARAM: n: expected a number. (request r7)',
      status: 400,
      code: 'BAD_PARAM',
      reason: 'n: expected a number.',
      param: 'n',
      requestId: 'r7',
      retryAfter: undefined,
    })
  })

  it('of several faces has a code for programs, and the boxes', async () => {
    const faces = [{ x1: 1, y1: 2, x2: 60, y2: 70 }]
    const body = { code: 400, reason: 'Too many faces: 1', faces }
    expect(await errorOf({ status: 400, body })).toMatchObject({ code: 'TOO_MANY_FACES', faces })
  })

  it.each([
    ['7', 7],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
    ['Thu, 01 Jan 2150 00:00:00 GMT', 3600],
    ['soon', undefined],
  ])('with Retry-After "%s" says %s seconds', async (header, seconds) => {
    const error = await errorOf(refusal(503, 'SERVICE_UNAVAILABLE', { 'retry-after': header }))
    expect(error).toHaveProperty('retryAfter', seconds)
  })
})

describe('the token', () => {
  it('is not in the client that is printed', () => {
    const client = new MienClient({ url: 'http://127.0.0.1:9', token: TOKEN })
    expect(inspect(client, { depth: 9, showHidden: true }) + JSON.stringify(client)).not.toContain(TOKEN)
  })

  it.each(['', `${TOKEN}\n`, `Token ${TOKEN}`])(
    'is refused by the constructor, unnamed, when it is %j',
    token => {
      const make = () => new MienClient({ url: 'http://127.0.0.1:9', token })
      expect(make).toThrow('token: expected the text of a token')
    },
  )
})

it.each(['127.0.0.1:8787', 'ftp://host', 'http://ann:secret@host', ''])(
  'the client refuses the URL %s',
  url => {
    const make = () => new MienClient({ url, token: TOKEN })
    expect(make).toThrow(/^url: expected/)
    expect(make).not.toThrow('secret')
  },
)

const page = (ids: number[], next_page: string | null) => ({
  body: { results: ids.map(id => ({ id })), prev_page: null, next_page },
})

const threePages = () =>
  scriptedServer(
    page([9, 8], '/v1/faces?limit=2&max_id=8'),
    page([7, 6], '/v1/faces?limit=2&max_id=6'),
    page([5], null),
  )

describe('a list', () => {
  it('visits each entry of each page, in order', async () => {
    await using server = await threePages()
    const ids: number[] = []
    for await (const { id } of server.client.faces.list({ pageSize: 2 })) ids.push(id)
    expect(ids).toEqual([9, 8, 7, 6, 5])
    expect(server.asked.map(({ path }) => path)).toEqual([
      '/v1/faces?limit=2',
      '/v1/faces?limit=2&max_id=8',
      '/v1/faces?limit=2&max_id=6',
    ])
  })

  it('requests no page that is not needed', async () => {
    await using server = await threePages()
    expect(await server.client.faces.list().toArray(2)).toHaveLength(2)
    expect(await server.client.faces.list().toArray(0)).toEqual([])
    expect(server.asked).toHaveLength(1)
  })

  it('throws at the page that is refused', async () => {
    await using server = await scriptedServer(page([9], '/v1/faces?max_id=9'), refusal(403, 'FORBIDDEN'))
    const seen: number[] = []
    const reading = async () => {
      for await (const { id } of server.client.faces.list()) seen.push(id)
    }
    await expect(reading()).toBeRefused('FORBIDDEN')
    expect(seen).toEqual([9])
  })

  it('never sends the token to the host of a link, and keeps the path under which the service is mounted', async () => {
    await using other = await scriptedServer({})
    await using server = await scriptedServer(page([9], `${other.url}/v1/faces?max_id=9`), page([8], null))
    await server.client.faces.list().toArray()
    expect(server.asked.at(-1).path).toBe('/v1/faces?max_id=9')
    expect(other.asked).toEqual([])
  })
})

const CALLS: Record<Call, (client: MienClient) => Promise<unknown>> = {
  'detect a photo': client => client.detect(photo),
  'enrol a photo': client => client.faces.enrol(photo),
  'get a face': client => client.faces.get(1),
  'delete a face': client => client.faces.delete(1),
  'create a camera': client => client.cameras.create(),
  'create a gallery': client => client.galleries.create('staff'),
}

const endOf = (error: unknown) => {
  if (error instanceof MienError) return `${error.status} ${error.code}`
  return error instanceof MienNetworkError ? 'no answer' : String(error)
}

describe('the TypeScript client', () => {
  clientScenarios((url, call) =>
    CALLS[call](new MienClient({ url, token: TOKEN, retryDelayMs: 1 })).then(
      () => ({ ended: 'answered', shown: '' }),
      error => ({ ended: endOf(error), shown: inspect(error, { depth: 9, showHidden: true }) }),
    ),
  )
})

it.each([' ', 'x'.repeat(256), 'a\nb', 'é'])(
  'the client refuses the key %j, which the service would ignore or refuse',
  async idempotencyKey => {
    await using server = await scriptedServer({})
    await expect(server.client.faces.enrol(photo, {}, { idempotencyKey })).rejects.toThrow(TypeError)
    expect(server.asked).toEqual([])
  },
)

describe('a call', () => {
  it('ends at its time limit', async () => {
    await using server = await scriptedServer('silence')
    const failed = server.client.faces.get(1, { timeoutMs: 50 })
    await expect(failed).rejects.toBeInstanceOf(MienTimeoutError)
    await expect(failed).rejects.toBeInstanceOf(MienNetworkError)
  })

  it('ends with the reason of the signal, during a request and during a wait', async () => {
    const later = refusal(503, 'SERVICE_UNAVAILABLE', { 'retry-after': '60' })
    for (const reply of ['silence', later] as const) {
      await using server = await scriptedServer(reply)
      const abort = new AbortController()
      const failed = expect(server.client.faces.get(1, { signal: abort.signal })).rejects.toThrow('Enough.')
      while (server.asked.length === 0) await new Promise(resolve => setTimeout(resolve, 5))
      abort.abort(new Error('Enough.'))
      await failed
      expect(server.asked).toHaveLength(1)
    }
  })
})

describe('the delay', () => {
  const delay = (retry: number, random: number, retryAfter?: number) =>
    delayMs(new MienError({ status: 503, code: 'SERVICE_UNAVAILABLE', reason: '', retryAfter }), {
      retry,
      random,
      baseMs: 100,
    })

  it('doubles, with jitter of half, to a limit', () => {
    expect([0, 1, 2, 3].map(retry => delay(retry, 1))).toEqual([100, 200, 400, 800])
    expect(delay(2, 0)).toBe(200)
    expect(delay(40, 1)).toBe(10_000)
  })

  it('is never less than Retry-After', () => {
    expect(delay(0, 0, 7)).toBeGreaterThanOrEqual(7_000)
    expect(delay(0, 1, 7)).toBe(7_100)
  })
})

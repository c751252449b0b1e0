/** Photos of many faces: groups, their results, bounds, and faces that are left out. */

import { ServiceError } from '#contract/errors.ts'
import { PHOTO_LIMITS } from '#contract/limits/photos.ts'
import type { Selection } from '#contract/model/photo-analysis.ts'
import { times } from '#test/support/times.ts'
import { firstGroup } from '#wasm/select.ts'
import { appWith } from '../app-with.ts'

/** A multipart body. This file also runs in workerd, without the harness. */
function form(fields: Record<string, string | Uint8Array<ArrayBuffer>>) {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields))
    data.append(name, typeof value === 'string' ? value : new File([value], name))
  return data
}

const boxOf = (i: number) => ({ x1: 100 * i, y1: 10, x2: 100 * i + 60, y2: 70 })

/** Analyses a file of so many bytes as a photo of so many faces. The chip of a face is its place. */
async function analyze(bytes: Uint8Array, selection?: Selection) {
  const found = times(bytes.length, i => ({ box: boxOf(i) }))
  const chosen = selection?.located ?? selection?.boxes.map(box => ({ box })) ?? []
  const faces = chosen.length > 0 ? chosen : found
  const group = selection ? firstGroup(faces, selection.most) : []
  const selected = group.map(({ box }) => ({
    box,
    chip: Uint16Array.of(box.x1 / 100),
    thumbnail: { width: 1, height: 1, data: new Uint8Array(3), face: box },
    quality: { quality: 0.9 },
  }))
  const all = faces.map(({ box }) => box)
  return { orientation: 1, limited: false, faces: all, selected, rest: faces.slice(group.length) }
}

type Request = Record<string, unknown> & { limit?: number; first?: number; faces?: object[]; asked?: object }

/** An edge, and the messages that core got: operation, request, number of blobs. `seen` is added to each analysis. */
function edgeWithCore(prepared: () => object = () => ({ isRepeated: false }), seen: object = {}) {
  const asked: [operation: string, request: Request, blobs: number][] = []
  const answers: Record<string, (request: Request, chips: Uint16Array[]) => object> = {
    identify: (_, chips) => ({
      matches: chips.map(([place]) => [
        { confidence: 1, face: { id: place, thumbnail: '', normalized: '' } },
      ]),
      live: asked.length === 2 ? 2 : 3,
      total: 3,
    }),
    compare: ({ first }, chips) => ({
      confidences: chips.slice(0, first).map(([a]) => chips.slice(first).map(([b]) => (a === b ? 1 : 0))),
    }),
    attributes: (_, chips) => ({ faces: chips.map(([place]) => ({ age: place })) }),
    'faces.prepare': prepared,
    enrol: ({ faces = [] }) => ({
      faces: faces.map((_, id) => ({ id, thumbnail: '', normalized: '' })),
    }),
  }
  const core: object = {
    async call(operation: string, request: Request, blobs: Uint16Array[] = []) {
      asked.push([operation, request, blobs.length])
      return { response: answers[operation]!(request, blobs), blobs: [] }
    },
    forRequest: () => core,
  }
  const analyzed: typeof analyze = async (...photo) => ({ ...(await analyze(...photo)), ...seen })
  const authenticate = async () => ({ owner: 'acme', scope: 'admin', token: '0123456789ab', gae: true })
  const edge = appWith({ core, authenticate, faces: { analyze: analyzed } })
  const send = async (path: string, fields: Record<string, number | string>, headers = {}) => {
    const photos = Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'number' ? new Uint8Array(value) : value,
    ])
    const body = form(Object.fromEntries(photos))
    const response = await edge.request(`/v1${path}`, { method: 'POST', body, headers })
    // biome-ignore lint/suspicious/noExplicitAny: JSON of a server
    return { status: response.status, headers: response.headers, body: (await response.json()) as any }
  }
  return { edge, send, asked, blobs: () => asked.map(([operation, , count]) => `${operation} ${count}`) }
}

const MOST = PHOTO_LIMITS.selectedFaces
const boxes = (count: number) => JSON.stringify(times(count, i => boxOf(i)))

describe.each([
  ['mf_selector', 'all'],
  ['bbox', boxes(150)],
])('150 faces by %s', (field, value) => {
  it('identify searches for all in groups', async () => {
    const { send, asked, blobs } = edgeWithCore()
    const { body, headers } = await send('/identify', { photo: 150, [field]: value, n: '0' })
    expect(blobs()).toEqual(['identify 64', 'identify 64', 'identify 22'])
    const ids = Object.values<{ face: { id: number } }[]>(body.results).map(([match]) => match!.face.id)
    expect(ids).toEqual(times(150, i => i))
    expect(asked[2]![1].limit, 'an answer has at most 10,000 matches').toBe(66)
    expect(headers.get('x-live-servers')).toBe('2/3')
  })

  it('enrol prepares all in groups, and stores them with one message', async () => {
    const { send, asked, blobs } = edgeWithCore()
    const { body } = await send('/face', { photo: 150, [field]: value })
    expect(blobs()).toEqual(['faces.prepare 128', 'faces.prepare 128', 'faces.prepare 44', 'enrol 0'])
    expect(asked.slice(0, 3).map(([, { from }]) => from)).toEqual([0, 64, 128])
    expect(new Set(asked.map(([, { preparation, count }]) => `${preparation} ${count}`)).size).toBe(1)
    expect(asked[3]![1].faces).toHaveLength(150)
    expect(body.results).toHaveLength(150)
  })

  it('detect describes all in groups', async () => {
    const { send, blobs } = edgeWithCore()
    const { body } = await send('/detect', { photo: 150, [field]: value, age: 'true', quality: 'true' })
    expect(blobs()).toEqual(['attributes 64', 'attributes 64', 'attributes 22'])
    expect(body.faces[149]).toMatchObject({ ...boxOf(149), age: 149, quality: { quality: 0.9 } })
  })
})

it.each([
  [150, 100],
  [100, 150],
])('verify compares all pairs of %s and %s faces in reading order', async (first, second) => {
  const { send, blobs } = edgeWithCore()
  const { body } = await send('/verify', { photo1: first, photo2: second, mf_selector: 'all' })
  expect(blobs()).toEqual(['compare 164', 'compare 164', 'compare 122'])
  expect(body.results).toHaveLength(first * second)
  const [row, column] = [Math.floor(7_777 / second), 7_777 % second]
  expect(body.results[7_777]).toMatchObject({ bbox1: boxOf(row), bbox2: boxOf(column) })
  expect(body.results.filter(({ confidence }: { confidence: number }) => confidence === 1)).toHaveLength(100)
  expect(body.verified, 'each face of photo1 is on photo2').toBe(first <= second)
})

it('128 faces go to core in one message, and a core of 0.2 understands it', async () => {
  const { send, asked, blobs } = edgeWithCore()
  await send('/faces/gallery/staff/identify', { photo: 128, mf_selector: 'all' })
  const checked = { galleries: 'staff', cam_id: '0f8fad5b-d9cb-469f-a165-70867728950e' }
  await send('/face', { photo: 128, mf_selector: 'all', ...checked }, { 'idempotency-key': 'once' })
  await send('/verify', { photo1: 128, photo2: 128, mf_selector: 'all' })
  await send('/detect', { photo: 128, age: 'true' })
  expect(blobs()).toEqual(['identify 128', 'enrol 256', 'compare 256', 'attributes 128'])
  expect(Object.keys(asked[1]![1])).not.toEqual(expect.arrayContaining(['preparation']))
})

const FACES = [`${MOST + 1}`, `${MOST}`]
const PAIRS = ['16512', '16384']

it.each([
  ['/identify', { photo: MOST + 1, mf_selector: 'all' }, 'mf_selector', [...FACES, 'bbox']],
  ['/face', { photo: MOST + 1, mf_selector: 'all' }, 'mf_selector', [...FACES, 'bbox']],
  ['/face', { photo: 9, bbox: boxes(MOST + 1) }, 'bbox', FACES],
  ['/detect', { photo: MOST + 1, quality: 'true' }, 'photo', [...FACES, 'bbox']],
  ['/verify', { photo1: 1, photo2: MOST + 1, mf_selector: 'all' }, 'mf_selector', [...FACES, 'bbox2']],
  ['/verify', { photo1: 129, photo2: 128, mf_selector: 'all' }, 'mf_selector', PAIRS],
  ['/verify', { photo1: 129, photo2: 128, bbox1: boxes(129), bbox2: boxes(128) }, 'bbox1', PAIRS],
])(
  'POST %s with more than 1,024 faces or 16,384 pairs names the number, the limit and the way out',
  async (path, fields, param, texts) => {
    const { send, asked } = edgeWithCore()
    const { status, body } = await send(path, fields)
    expect([status, body.code, body.param]).toEqual([400, 'BAD_PARAM', param])
    for (const text of [...texts, 'in parts']) expect(body.reason).toContain(text)
    expect(asked).toEqual([])
  },
)

it.each([
  ['as JSON text', (list: object[]) => [['bbox', JSON.stringify(list)]]],
  ['one field for each', (list: object[]) => list.map(box => ['bbox[]', JSON.stringify(box)])],
  [
    'one field for each coordinate',
    (list: object[]) =>
      list.flatMap((box, i) =>
        Object.entries(box).map(([name, value]) => [`bbox[${i}][${name}]`, `${value}`]),
      ),
  ],
])('a form has 1,024 boxes %s', async (_, fields) => {
  const { edge } = edgeWithCore()
  const body = form({ photo: new Uint8Array(1) })
  for (const [name, value] of fields(JSON.parse(boxes(MOST)))) body.append(name!, value!)
  const response = await edge.request('/v1/detect', { method: 'POST', body })
  expect(((await response.json()) as { faces: object[] }).faces).toHaveLength(MOST)
})

it.each([
  [2, ['2', '2', '4']],
  [0, [null, null, null]],
])('answers for photos with %i faces left out say so: %s', async (tooPoor, expected) => {
  const { send } = edgeWithCore(undefined, { tooPoor })
  const answers = [
    await send('/face', { photo: 150, mf_selector: 'all' }),
    await send('/identify', { photo: 1 }),
    await send('/verify', { photo1: 1, photo2: 1 }),
  ]
  expect(answers.map(({ headers }) => headers.get('x-faces-left-out'))).toEqual(expected)
})

it('a repeated enrolment ends after its first group', async () => {
  const { send, blobs } = edgeWithCore(() => ({ isRepeated: true }))
  await send('/face', { photo: 1_000, mf_selector: 'all' }, { 'idempotency-key': 'k' })
  expect(blobs()).toEqual(['faces.prepare 128', 'enrol 0'])
})

it('a group that core refuses ends the request, and nothing is stored', async () => {
  const { send, blobs } = edgeWithCore(() => {
    throw new ServiceError('SERVICE_UNAVAILABLE')
  })
  await expect(send('/face', { photo: 1_000, mf_selector: 'all' })).toAnswer(503)
  expect(blobs()).toEqual(['faces.prepare 128'])
})

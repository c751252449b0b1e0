/** Random requests: any operation, any encoding, with valid, nearly valid and invalid values. */
import * as fc from 'fast-check'
import sharp from 'sharp'
import type { Operation } from '#contract/operations/table.ts'
import { OPERATIONS } from '#contract/operations/table.ts'
import { type OpenapiOverride, overriddenParameters } from '#contract/parameters/json-schema.ts'
import { type Field, form, type Send, sample } from '#test/support/client.ts'

export interface Generated {
  operation: Operation
  version: string
  /** Values of the path parameters. */
  path: Record<string, string>
  params: Record<string, unknown>
  encoding: 'json' | 'form' | 'multipart' | 'query'
  /** Index of an upload among `photos`, or undefined. */
  photo: number | undefined
}

/** Placeholders for the id of an existing face, camera or alert rule. */
const FACE = '(face)'
const CAMERA = '(camera)'
const ALERT = '(alert)'

/** Valid values by parameter name where the declaration shows none: they let requests pass the first check. */
const FITTING: Record<string, readonly unknown[]> = {
  meta: ['known', 'another', ''],
  bbox: ['[[5, 5, 90, 90]]', [5, 5, 90, 90], { x1: 5, y1: 5, x2: 90, y2: 90 }, []],
  threshold: ['strict', 'medium', 'low', 'none', '0.5', 0],
  galleries: [
    'known',
    ['known'],
    'known,default',
    '["known"]',
    { add: ['known'] },
    '{"del": ["known"]}',
    '{"set": []}',
  ],
  gallery: ['known', 'default'],
  name: ['known', 'another'],
  detectorParams: ['{"a": 1}', { a: 1 }],
  cam_id: [CAMERA],
  cam_ids: [CAMERA, [CAMERA]],
  person_id: [7, '7', 8, 'a text'],
  person_ids: [[7], [8, 9], '7,8', [], 'a text'],
  except_person_ids: [[7], '8', []],
  face_ids: [[7], ['1', 2], [[]], 'a text'],
  start: ['2017-01-01'],
  end: ['2030-01-01T00:00:00Z'],
  max_id: ['9007199254740991', 0],
  min_id: ['0', 5],
  url: ['rtsp://camera.test/1', 'http://127.0.0.1:9/alerts'],
  time_zone: ['UTC', 'Europe/Berlin', 'Mars/Olympus'],
  detector: ['d'],
  options: [{ fps: 5, early: true }, '{"liveness": 0.5}', {}, { fps: 0 }, { masks: [[0, 0, 1, 0.5]] }],
  watcher: ['hall', ''],
  fps: [5, '4.7', -1],
  frame_age: [0.2, '1'],
}

const nonsense = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    '',
    true,
    [],
    {},
    [0, 0, 60, 60],
    'default',
    '-1',
    'yes',
    'http://10.0.0.1/a.jpg',
  ),
  fc.string({ maxLength: 60 }),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.jsonValue({ maxDepth: 2 }),
  fc.oneof(fc.integer(), fc.double(), fc.bigInt().map(String)),
)

/** Values that the declaration of a parameter names: the ends of its range, its alternatives and its examples. */
const declared = ({ enum: alternatives, examples, minimum, maximum, type }: OpenapiOverride): unknown[] => [
  ...(Array.isArray(alternatives) ? alternatives : []),
  ...(Array.isArray(examples) ? examples : []),
  ...[minimum, maximum].filter(bound => bound !== undefined),
  ...(type === 'boolean' ? [true, false] : []),
]

const parameterOf = (name: string, schema: OpenapiOverride = {}): fc.Arbitrary<unknown> => {
  const fitting = [...(FITTING[name] ?? []), ...declared(schema)]
  if (fitting.length === 0) return nonsense
  return fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...fitting) }, { weight: 1, arbitrary: nonsense })
}

const pathParameterOf = (name: string, operation: string) => {
  const isOfAlert = /Alert|Deliver/.test(operation)
  const id = isOfAlert
    ? ALERT
    : operation.includes('Camera')
      ? CAMERA
      : operation.includes('erson')
        ? '7'
        : FACE
  const fitting = name === 'id' ? [id, '1'] : ['known', 'default', 'another']
  const anything = fc.string({ minLength: 1, maxLength: 60, unit: 'binary' })
  return fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...fitting) }, { weight: 1, arbitrary: anything })
}

/** A request for any operation; each of its parameters is optional. Half of the requests have at most two, beside the required ones. */
export const anyRequest: fc.Arbitrary<Generated> = fc.constantFrom(...OPERATIONS).chain(operation => {
  const inPath = (operation.path.match(/:\w+/g) ?? []).map(name => name.slice(1))
  const others = Object.keys(operation.parameters.shape).filter(
    name => !inPath.includes(name) && !/^photo/.test(name),
  )
  const { properties, required } = overriddenParameters(operation.parameters)
  const perhaps = (name: string) =>
    fc.option(parameterOf(name, properties[name]), { freq: 1, nil: undefined })
  const given = fc.record(Object.fromEntries([...others, 'unknown'].map(name => [name, perhaps(name)])))
  const pairs = fc.subarray(others, { maxLength: Math.min(2, others.length) }).chain(pair => {
    const names = [...new Set([...pair, ...required.filter(name => others.includes(name))])]
    return fc.record(Object.fromEntries(names.map(name => [name, parameterOf(name, properties[name])])))
  })
  return fc.record({
    operation: fc.constant(operation),
    version: fc.constantFrom('/v0', '/v1', ''),
    path: fc.record(Object.fromEntries(inPath.map(name => [name, pathParameterOf(name, operation.name)]))),
    params: fc.oneof(given, pairs),
    encoding: fc.constantFrom('json', 'form', 'multipart', 'multipart', 'query'),
    // The photo of a face is the most likely one.
    photo: fc.nat(14).map(index => (index > 6 ? 0 : index > 5 ? undefined : index)),
  })
})

/** Uploads, small for the analysis of thousands: a face, an empty picture, a text, half a JPEG, zeros. */
export async function photos(): Promise<Uint8Array<ArrayBuffer>[]> {
  const face = sharp(await sample(1)).extract({ left: 1450, top: 230, width: 240, height: 240 })
  const bytes = (buffer: Buffer) => new Uint8Array(buffer)
  const portrait = bytes(await face.resize(96).jpeg().toBuffer())
  const grey = sharp({ create: { width: 64, height: 64, channels: 3, background: 'grey' } })
  return [
    portrait,
    bytes(await grey.webp().toBuffer()),
    Buffer.from('no photo'),
    portrait.slice(0, 300),
    new Uint8Array(2000),
  ]
}

/** The text of an answer; of a stream, which does not end, the first part. */
export async function textOf(response: Response): Promise<string> {
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return response.text()
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  const { value = '' } = await reader.read()
  await reader.cancel()
  return value
}

/** The ids for FACE, CAMERA and ALERT. */
export interface Known {
  face: number
  camera: string
  alert: string
}

/** Creates what requests name; earlier requests may have deleted it. */
export async function furnish(send: Send, photo: Field): Promise<Known> {
  await send('POST', '/v0/galleries/known')
  const { id } = (await send('POST', '/v0/camera', {})).body
  const sent = form({ photo, meta: 'known', galleries: 'known', cam_id: id })
  const face = (await send('POST', '/v0/face', sent)).body.results[0].id
  await send('PUT', `/v0/face/id/${face}`, { person_id: 7 })
  const { results } = (await send('GET', '/v1/alerts')).body
  const rule = { url: 'http://127.0.0.1:9/' }
  return { face, camera: id, alert: results[0]?.id ?? (await send('POST', '/v1/alerts', rule)).body.id }
}

interface World {
  uploads: Uint8Array<ArrayBuffer>[]
  known: Known
}

/** The request for fetch. */
export function requestOf(origin: string, token: string, one: Generated, { uploads, known }: World): Request {
  const { operation, version, encoding } = one
  const named = (text: string) =>
    text.replaceAll(FACE, String(known.face)).replaceAll(CAMERA, known.camera).replaceAll(ALERT, known.alert)
  const path = operation.path.replaceAll(/:(\w+)/g, (_, name) =>
    encodeURIComponent(named(one.path[name]!.toWellFormed())),
  )
  const url = new URL(origin + version + path)
  const headers = new Headers({ authorization: `Token ${token}` })
  const init: RequestInit = { method: operation.method.toUpperCase(), headers }
  const given = Object.entries(one.params).filter(([, value]) => value !== undefined)
  const written = given.map(([name, value]) => [name, named(asText(value))] as const)
  if (encoding === 'query' || operation.method === 'get')
    for (const [name, text] of written) url.searchParams.append(name, text)
  else if (encoding === 'json') {
    headers.set('content-type', 'application/json')
    init.body = named(JSON.stringify(Object.fromEntries(given)))
  } else if (encoding === 'form') init.body = new URLSearchParams(written.map(([name, text]) => [name, text]))
  else init.body = multipart(written, one.photo, operation, uploads)
  return new Request(url, init)
}

const asText = (given: unknown) =>
  (typeof given === 'string' ? given : (JSON.stringify(given) ?? '')).toWellFormed()

function multipart(
  written: readonly (readonly [string, string])[],
  photo: number | undefined,
  operation: Operation,
  uploads: Uint8Array<ArrayBuffer>[],
) {
  const body = new FormData()
  for (const [name, text] of written) body.append(name, text)
  const names = Object.keys(operation.parameters.shape).filter(name => /^photo/.test(name))
  if (photo !== undefined) for (const name of names) body.append(name, new File([uploads[photo]!], 'photo'))
  // A form without parts has no boundary.
  body.append('end', '')
  return body
}

/** A user's program: openapi-fetch with types from openapi-typescript. See clients.test.ts. */
import { readFile } from 'node:fs/promises'
import createClient from 'openapi-fetch'
import type { components, paths } from './schema.js'

type Face = components['schemas']['Face']

const [baseUrl = '', token = '', photoPath = ''] = process.argv.slice(2)
const client = createClient<paths>({ baseUrl, headers: { Authorization: `Token ${token}` } })
const photo = new File([await readFile(photoPath)], 'ann.jpg', { type: 'image/jpeg' })

/** Encodes fields as a form; lists and objects as JSON text. */
function bodySerializer(body: object): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(body))
    form.append(name, value instanceof Blob || typeof value === 'string' ? value : JSON.stringify(value))
  return form
}

function success<T>({ data, error }: { data?: T; error?: unknown }): T {
  if (data === undefined) throw new Error(JSON.stringify(error))
  return data
}

success(await client.POST('/galleries/{gallery}', { params: { path: { gallery: 'staff' } } }))

const attributes = { age: true, gender: true, emotions: true }
const detection = { photo, quality: true, ...attributes }
const { faces } = success(await client.POST('/detect', { body: detection, bodySerializer }))
const [first] = faces
if (!first) throw new Error('No face was detected.')
const { x1, y1, x2, y2, age, emotions } = first
const gender: 'male' | 'female' | undefined = first.gender

const enrolment = () =>
  client.POST('/face', {
    params: { header: { 'Idempotency-Key': 'first enrolment' } },
    body: { photo, meta: 'Ann', galleries: ['staff'], bbox: [{ x1, y1, x2, y2 }] },
    bodySerializer,
  })
const enrolled: Face[] = success(await enrolment()).results
const repeated: Face[] = success(await enrolment()).results

const identified = await client.POST('/identify', {
  body: { photo, threshold: 'medium', mf_selector: 'all', n: 1 },
  bodySerializer,
})
const matches = Object.values(success(identified).results).flat()

const id = enrolled[0]?.id ?? 0
const several = await client.POST('/face', { body: { photo, mf_selector: 'reject' }, bodySerializer })
const deleted = await client.DELETE('/face/id/{id}', { params: { path: { id } } })
const missing = await client.GET('/face/id/{id}', { params: { path: { id } } })
const code: 'NOT_FOUND' | undefined = missing.error?.code === 'NOT_FOUND' ? missing.error.code : undefined

// @ts-expect-error No threshold has this name.
await client.POST('/identify', { body: { photo, threshold: 'lax' }, bodySerializer })
// @ts-expect-error The photo is missing.
await client.POST('/detect', { body: { quality: true }, bodySerializer })

const told = {
  faces: faces.length,
  attributes: [typeof age, gender, emotions?.length],
  scored: faces.every(face => (face.quality?.score ?? 0) > 0),
  enrolled: enrolled.map(face => [face.meta, face.galleries]),
  repeated: repeated.map(face => face.id).join() === enrolled.map(face => face.id).join(),
  matches: matches.map(({ confidence, face }) => [confidence > 0.9, face.meta]),
  liveServers: identified.response.headers.get('X-Live-Servers'),
  several: several.error?.code === 400 ? several.error.faces.length : several.error?.code,
  deleted: deleted.response.status,
  missing: [missing.response.status, code, missing.error?.request_id !== undefined],
}
process.stdout.write(JSON.stringify(told))

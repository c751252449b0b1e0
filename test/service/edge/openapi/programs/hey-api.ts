/** A user's program: the client from @hey-api/openapi-ts. See generated-clients.ts. */
import { readFile } from 'node:fs/promises'
import { client } from './sdk/client.gen.js'
import { createGallery, deleteFace, detect, enrol, type Face, getFace, identify } from './sdk/index.js'

const [baseUrl = '', token = '', photoPath = ''] = process.argv.slice(2)
client.setConfig({ baseUrl, headers: { Authorization: `Token ${token}` } })
const photo = new File([await readFile(photoPath)], 'ann.jpg', { type: 'image/jpeg' })

function success<T>({ data, error }: { data?: T; error?: unknown }): T {
  if (data === undefined) throw new Error(JSON.stringify(error))
  return data
}

success(await createGallery({ path: { gallery: 'staff' } }))

const attributes = { age: true, gender: true, emotions: true }
const { faces } = success(await detect({ body: { photo, quality: true, ...attributes } }))
const [first] = faces
if (!first) throw new Error('No face was detected.')
const { x1, y1, x2, y2, age, emotions } = first
const gender: 'male' | 'female' | undefined = first.gender

const enrolment = () =>
  enrol({
    headers: { 'Idempotency-Key': 'first enrolment' },
    body: { photo, meta: 'Ann', galleries: ['staff'], bbox: [{ x1, y1, x2, y2 }] },
  })
const enrolled: Face[] = success(await enrolment()).results
const repeated: Face[] = success(await enrolment()).results

const identified = await identify({ body: { photo, threshold: 'medium', mf_selector: 'all', n: 1 } })
const matches = Object.values(success(identified).results).flat()

const id = enrolled[0]?.id ?? 0
const several = await enrol({ body: { photo, mf_selector: 'reject' } })
const deleted = await deleteFace({ path: { id } })
const missing = await getFace({ path: { id } })
const code: 'NOT_FOUND' | undefined = missing.error?.code === 'NOT_FOUND' ? missing.error.code : undefined

// @ts-expect-error A misspelt parameter.
await detect({ body: { photo, qualty: true } })
// @ts-expect-error The photo is missing.
await detect({ body: { quality: true } })

const told = {
  faces: faces.length,
  attributes: [typeof age, gender, emotions?.length],
  scored: faces.every(face => (face.quality?.score ?? 0) > 0),
  enrolled: enrolled.map(face => [face.meta, face.galleries]),
  repeated: repeated.map(face => face.id).join() === enrolled.map(face => face.id).join(),
  matches: matches.map(({ confidence, face }) => [confidence > 0.9, face.meta]),
  liveServers: identified.response?.headers.get('X-Live-Servers'),
  several: several.error?.code === 400 ? several.error.faces.length : several.error?.code,
  deleted: deleted.response?.status,
  missing: [missing.response?.status, code, missing.error?.request_id !== undefined],
}
process.stdout.write(JSON.stringify(told))

/** Reads everything that an owner has through the API, for a comparison of two versions of the service. */
import { createHash } from 'node:crypto'
import { clientOf, form, sample } from '#bench/harness/client.ts'

/** Answers by path. Pictures are the SHA-256 of their bytes. */
export type Answers = Record<string, unknown>

/** Lists of the API, with all elements of an owner with few faces. */
const LISTS = [
  '/v1/galleries',
  '/v1/faces',
  '/v1/faces/gallery/default',
  '/v1/faces/gallery/staff',
  '/v1/meta',
  '/v1/meta/gallery/staff',
  '/v1/persons',
  '/v1/camera',
  '/v1/history/search',
]

const PICTURE = /"(http:[^"]*\/pictures\/[^"]*)"/g

/** The lists, and the details of each face, person, meta and camera in them. */
export async function answersOf(edge: string, token: string): Promise<Answers> {
  const send = clientOf(edge, token)
  const answers: Answers = {}
  const read = async (path: string): Promise<unknown> => {
    const { status, body } = await send('GET', path)
    answers[path] = status === 200 ? await withHashes(body) : status
    return body
  }
  for (const path of LISTS) await read(path)
  for (const id of idsIn(answers['/v1/faces'])) await read(`/v1/face/id/${id}`)
  for (const id of idsIn(answers['/v1/camera'])) await read(`/v1/camera/${id}`)
  for (const id of idsIn(answers['/v1/persons'])) {
    await read(`/v1/person/id/${id}`)
    await read(`/v1/person/history/id/${id}`)
  }
  for (const { meta } of elements(answers['/v1/meta']) as { meta: string }[])
    await read(`/v1/face/meta/${encodeURIComponent(meta)}`)
  return answers
}

/** Number of faces in the answers of `answersOf`. */
export const facesIn = (answers: Answers): number => idsIn(answers['/v1/faces']).length

/** Ids of all matches of each face of a photo, at the strictest threshold. Rising, because boxes vary with the version. */
export async function matchesOf(
  edge: string,
  token: string,
  number: 2 | 3 | 6,
  threshold = 'strict',
): Promise<number[][]> {
  const photo = { photo: await sample(number), mf_selector: 'all', threshold, n: '0' }
  const { body } = await clientOf(edge, token)('POST', '/v1/identify', form(photo))
  return Object.values<{ face: { id: number } }[]>(body.results)
    .map(matches => matches.map(({ face }) => face.id).sort())
    .filter(ids => ids.length > 0)
    .sort(([a], [b]) => a! - b!)
}

const elements = (answer: unknown): unknown[] =>
  Array.isArray(answer) ? answer : ((answer as { results?: unknown[] }).results ?? [])

const idsIn = (answer: unknown): (string | number)[] =>
  (elements(answer) as { id: string | number }[]).map(({ id }) => id)

/** An answer with the hashes of its pictures instead of links, which expire and contain the origin. */
async function withHashes(body: unknown): Promise<unknown> {
  const text = JSON.stringify(body)
  const links = [...new Set([...text.matchAll(PICTURE)].map(([, link]) => link!))]
  const hashes = new Map<string, string>()
  for (const link of links) {
    const response = await fetch(link)
    if (!response.ok) throw new Error(`${link}: ${response.status}`)
    hashes.set(
      link,
      createHash('sha256')
        .update(await response.bytes())
        .digest('hex'),
    )
  }
  return JSON.parse(text.replaceAll(PICTURE, (_, link) => `"sha256:${hashes.get(link)}"`))
}

/** Lists of the faces of a person. */
import type { Face, MienClient } from '../../clients/typescript/src/index.ts'
import { firstPage, PAGE_SIZE, PagedList } from '../grid/paged-list.ts'

/** Faces per request of a search for sightings, and requests that end one. */
const SIGHTINGS_PAGE_SIZE = 200
const MOST_REQUESTS = 10

/** A face that a camera posted. */
export type Sighting = Face & { cam_id: string }

/** The faces of a person, newest first. */
export const personFaces = (client: MienClient, person: number): PagedList<Face> =>
  new PagedList<Face>((after, signal) => {
    const filter = { person_id: person, pageSize: PAGE_SIZE, max_id: after }
    return firstPage(client.faces.list(filter, { signal }))
  })

/** Sightings, and where the next ones begin; undefined after the last. */
export interface SightingPage {
  sightings: Sighting[]
  next: number | undefined
}

/** The next sightings of a person below the id `max_id`, newest first. Passes over faces without a camera. */
export async function nextSightings(
  client: MienClient,
  person: number,
  max_id: number | undefined,
  signal: AbortSignal,
): Promise<SightingPage> {
  const filter = { person_id: person, pageSize: SIGHTINGS_PAGE_SIZE, max_id }
  let requests = 0
  let next = max_id
  for await (const faces of client.faces.list(filter, { signal }).pages()) {
    const sightings = faces.filter((face): face is Sighting => face.cam_id !== undefined)
    next = faces.length < SIGHTINGS_PAGE_SIZE ? undefined : faces.at(-1)?.id
    if (sightings.length > 0 || next === undefined || ++requests >= MOST_REQUESTS) return { sightings, next }
  }
  return { sightings: [], next: undefined }
}

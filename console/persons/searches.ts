/** Searches among persons: pairs that may be one, and sightings by cameras, grouped by day and camera. */
import type { Face, MienClient, PersonSuggestion } from '../../clients/typescript/src/index.ts'
import { type Step, stepOf } from '../connection/task.ts'
import { formatDay } from '../format.ts'

/** Persons per request: the most that the API takes. */
const SUGGESTED_PAGE_SIZE = 50

/** Suggestions that end a search, and requests that end it without them. */
const ENOUGH_SUGGESTIONS = 6
const MOST_SUGGESTION_REQUESTS = 4

/** Returns a function that looks for the next suggestions. */
export function suggestionSearch(
  client: MienClient,
  signal: AbortSignal,
): () => Promise<Step<PersonSuggestion>> {
  const pages = client.persons.suggestions({ pageSize: SUGGESTED_PAGE_SIZE }, { signal }).pages()
  return () => stepOf(pages, ENOUGH_SUGGESTIONS, MOST_SUGGESTION_REQUESTS)
}

/** Faces per request of a search, and requests that end one. */
const FACES_PER_REQUEST = 200
const MOST_REQUESTS = 10

/** A face that a camera posted. */
export type Sighting = Face & { cam_id: string }

/** Sightings, and where the next ones begin; undefined after the last. */
interface SightingPage {
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
  const filter = { person_id: person, pageSize: FACES_PER_REQUEST, max_id }
  let requests = 0
  let next = max_id
  for await (const faces of client.faces.list(filter, { signal }).pages()) {
    const sightings = faces.filter((face): face is Sighting => face.cam_id !== undefined)
    next = faces.length < FACES_PER_REQUEST ? undefined : faces.at(-1)?.id
    if (sightings.length > 0 || next === undefined || ++requests >= MOST_REQUESTS) return { sightings, next }
  }
  return { sightings: [], next: undefined }
}

/** Sightings of one camera on one day, newest first. */
export interface CameraDay {
  camera: string
  sightings: Sighting[]
}

interface SightingDay {
  /** The day in the visitor's locale and time zone. */
  day: string
  /** The camera with the newest sighting first. */
  cameras: CameraDay[]
}

/** Days by their newest sightings, newest first. Faces can be enrolled in another order than they were seen in. */
export function sightingDays(sightings: readonly Sighting[]): SightingDay[] {
  const newestFirst = sightings.toSorted((a, b) => (a.timestamp < b.timestamp ? 1 : -1))
  const days = Map.groupBy(newestFirst, ({ timestamp }) => formatDay(timestamp))
  return [...days].map(([day, seen]) => ({
    day,
    cameras: [...Map.groupBy(seen, ({ cam_id }) => cam_id)].map(([camera, theirs]) => ({
      camera,
      sightings: theirs,
    })),
  }))
}

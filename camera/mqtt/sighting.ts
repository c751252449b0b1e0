/** Messages about a face of a camera (what happened, where, and who it was), and about the alert that it met. */
import * as z from 'zod'
import {
  type Face,
  type LiveAlert,
  type LiveEvent,
  type Match,
  type MienClient,
  MienError,
} from '../../clients/typescript/src/index.ts'
import { FOOTAGE_KINDS } from '../../contract/limits/cameras.ts'
import { hyphenated } from '../../contract/model/camera.ts'
import { nameOfPerson } from '../../contract/model/person.ts'

/** `known`: the person has a name. `friend`: it has none, and the camera sees it often. */
export const EVENT_TYPES = ['known', 'friend', 'unknown'] as const

/** What messages may contain. */
export interface Privacy {
  /** Names of persons. */
  names: boolean
  /** Links to pictures of faces. */
  pictures: boolean
  /** Links to snapshots and clips, which show bystanders. */
  footage: boolean
}

/** Fields of the face that messages have. `detector_info` is any data of the client that posted it. */
const FACE_FIELDS = [
  'id',
  'x1',
  'y1',
  'x2',
  'y2',
  'galleries',
  'age',
  'gender',
  'emotions',
  'quality',
  'liveness',
] as (keyof Face)[]

const SightingSchema = z.object({
  /** Id of the event. A repeated message has the same id. */
  id: z.string(),
  event_type: z.enum(EVENT_TYPES),
  /** ISO 8601, UTC. */
  time: z.string(),
  camera: z.object({ id: z.string(), name: z.string().optional() }),
  /** Empty for a face without a person. */
  person: z.object({ id: z.union([z.number(), z.string()]).optional(), name: z.string().optional() }),
  /** The probable person of a face without a person. */
  candidate: z.object({ id: z.number(), confidence: z.number(), name: z.string().optional() }).optional(),
  friend: z.boolean(),
  /**
   * An earlier message has the face. `added` is the new part; absent: a better picture. `was` is the earlier type, if this process
   * sent it.
   */
  updated: z.boolean().optional(),
  added: z.enum(FOOTAGE_KINDS).optional(),
  was: z.enum(EVENT_TYPES).optional(),
  face: z.looseObject({ id: z.number() }),
  /** Links to the picture of the face, and to the footage of its event. They need no token and expire. */
  thumbnail: z.string().optional(),
  snapshot: z.string().optional(),
  clip: z.string().optional(),
})

export type Sighting = z.infer<typeof SightingSchema>

interface SightingParts {
  /** Absent for a camera that was deleted. */
  camera: { id: string; meta?: string } | undefined
  /** The name of the person; empty without one. */
  name: string
}

export const cameraIdOf = ({ face }: LiveEvent): string => hyphenated(face.cam_id ?? '')

export function sightingOf(event: LiveEvent, { camera, name }: SightingParts, privacy: Privacy): Sighting {
  const { face } = event
  const { candidate } = face
  const candidateName = nameOfPerson(candidate?.person.meta ?? '')
  const fields = FACE_FIELDS.filter(field => face[field] !== undefined).map(field => [field, face[field]])
  return {
    id: event.id,
    event_type: name !== '' ? 'known' : face.friend ? 'friend' : 'unknown',
    time: `${face.timestamp}Z`,
    camera: { id: cameraIdOf(event), ...(camera?.meta && { name: camera.meta }) },
    person: {
      id: face.person_id,
      ...(name !== '' && privacy.names && { name }),
    },
    ...(candidate && {
      candidate: {
        id: candidate.person.id,
        confidence: candidate.confidence,
        ...(candidateName !== '' && privacy.names && { name: candidateName }),
      },
    }),
    friend: face.friend,
    ...(face.updated && { updated: true }),
    added: face.added,
    face: Object.fromEntries(fields),
    ...(privacy.pictures && face.thumbnail && { thumbnail: face.thumbnail }),
    ...(privacy.footage && { snapshot: face.snapshot, clip: face.clip }),
  }
}

/** A stored message; undefined if it is not from the bridge. */
export function readSighting(payload: string): Sighting | undefined {
  try {
    return SightingSchema.safeParse(JSON.parse(payload)).data
  } catch {
    return undefined
  }
}

/**
 * The name of the face's person, as the console shows it: the meta of the person, else the meta of a face. Empty without one, or when
 * the person was deleted.
 */
export async function personName(client: MienClient, face: Face, signal: AbortSignal): Promise<string> {
  if (typeof face.person_id !== 'number') return face.meta
  const person = await ignoreNotFound(client.persons.summary(face.person_id, { signal }))
  if (!person) return ''
  return nameOfPerson(person.meta) || face.meta || person.face?.meta || ''
}

/** The answer; undefined for a 404. */
export const ignoreNotFound = <T>(answer: Promise<T>): Promise<T | undefined> =>
  answer.catch(error => {
    if (error instanceof MienError && error.status === 404) return undefined
    throw error
  })

/** The name of the person of a match, else the meta of the face. */
const nameOf = ({ person, face }: Match) => nameOfPerson(person?.meta ?? '') || face.meta

/**
 * The message of an alert. `id` is its position, `event` the id of the event of the face, and `seen` the number of the person's
 * faces from cameras. A repeated message has the same id. `sighting` belongs to the alert's face; undefined for a test of the rule.
 */
export function alertPayload(
  { id, alert: { alert, event_id, person, matches } }: LiveAlert,
  sighting: Sighting | undefined,
  privacy: Privacy,
) {
  return {
    ...sighting,
    id,
    alert,
    ...(event_id !== undefined && { event: String(event_id) }),
    seen: person?.seen,
    ...(matches && {
      matches: matches.map(match => ({
        confidence: match.confidence,
        verdict: match.verdict,
        face: match.face.id,
        ...(privacy.names && nameOf(match) !== '' && { name: nameOf(match) }),
      })),
    }),
  }
}

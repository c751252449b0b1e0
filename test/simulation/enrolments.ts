/** Random enrolments and updates of a client, and what their outcomes tell the model. */
import { type Client, type Outcome, Violation } from './client.ts'
import { SIDE } from './core.ts'
import type { KnownFace, OwnerModel, PhotoRequest } from './model.ts'

/** Colours of faces. The first colours are nearly orthogonal: each is one person. The last one is of persons that are merged. */
export const COLOURS = [
  [250, 1, 1],
  [1, 250, 1],
  [1, 1, 250],
  [250, 250, 1],
] as const
export const PEOPLE = 3
export const MERGED = 3

export const METAS = ['', 'x', 'y']
export const GALLERIES = ['a', 'b', 'brief']

/** Faces of this gallery expire after a day. */
export const BRIEF = 'brief'

/** Ids that clients give to persons. */
export const GIVEN_PERSONS = [1_000, 2_000, 3_000]

/** A chip. `version`: another picture of the same person. */
export const colourBytes = (colour: number, version = 0): Uint8Array =>
  Uint8Array.from({ length: SIDE * SIDE * 3 }, (_, i) => COLOURS[colour]![i % 3]! + version)

const SHAPE = { width: SIDE, height: SIDE, face: { x1: 0, y1: 0, x2: SIDE, y2: SIDE } }

/** The faces of a photo, and the person that the client gives to them. */
interface Pictured {
  colours: number[]
  personId: number | undefined
}

/** One or two faces. */
function anyPictured({ owner, chance }: Client): Pictured {
  const first = chance.below(PEOPLE)
  const colours = chance.is(0.3) ? [first, (first + 1) % PEOPLE] : [first]
  const givesPerson = owner.namesPersons && colours.length === 1 && chance.is(0.7)
  return { colours, personId: givesPerson ? chance.of(GIVEN_PERSONS) : undefined }
}

/** A photo: the message, and its record in the model. */
function newPhoto({ owner, chance }: Client, { colours, personId }: Pictured) {
  const photo = `${owner.id.slice(0, 2)}-${owner.requests.size}`
  const galleries = [...owner.galleries.keys()].filter(
    name => owner.gallery(name).possible().has(true) && chance.is(0.4),
  )
  const request: PhotoRequest = {
    photo,
    colours,
    galleries,
    start: owner.clock(),
    end: Number.POSITIVE_INFINITY,
    faces: undefined,
    hasKey: chance.is(0.8),
    mayBeReduced: galleries.includes(BRIEF) || owner.openDeletions > 0,
  }
  const message = {
    photo,
    photoHash: 'abcd',
    meta: chance.of(METAS),
    galleries,
    camera: chance.is(0.6) ? owner.camera : undefined,
    ...(personId !== undefined && { personId }),
    ...(request.hasKey && { idempotency: { key: photo, requestHash: photo } }),
    faces: colours.map((_, i) => ({
      box: { x1: 100 * i, y1: 2, x2: 100 * i + 60, y2: 70 },
      thumbnail: SHAPE,
    })),
  }
  return { request, message }
}

export async function enrol(client: Client, pictured = anyPictured(client)): Promise<void> {
  const { owner } = client
  const { request, message } = newPhoto(client, pictured)
  const { photo, colours, galleries } = request
  owner.requests.set(photo, request)
  const begun = message.personId === undefined ? undefined : owner.person(message.personId).begin(true)
  const send = message.idempotency ? client.repeat<'enrol'> : client.send<'enrol'>
  const outcome = await send(
    'enrol',
    message,
    colours.map(colour => colourBytes(colour)),
  )
  request.end = owner.clock()
  if (begun) Object.assign(begun, { end: owner.clock(), isSure: outcome.kind === 'done' })
  if (outcome.kind === 'refused' && outcome.code === 'BAD_PARAM') {
    // A repetition of the request may have been executed before the gallery was deleted.
    if (!message.idempotency) request.faces = []
    if (galleries.every(name => !owner.gallery(name).possible(request.start).has(false)))
      throw new Violation(`${photo}: a gallery is gone`)
  }
  if (outcome.kind === 'unavailable' && !message.idempotency) request.faces = []
  if (outcome.kind !== 'done') return
  const { faces } = outcome.value
  if (faces.length !== colours.length && !request.mayBeReduced)
    throw new Violation(`${photo} has ${faces.length} faces, not ${colours.length}`)
  request.faces = faces.map(({ id }) => id)
  for (const { id, person_id } of faces) {
    const colour = colours.length === 1 ? colours[0]! : -1
    const face = owner.acknowledgeFace(request, id, { colour, meta: message.meta, camera: message.camera })
    if (typeof person_id !== 'number' || !begun) continue
    Object.assign(face.person.begin(person_id), { isSure: true, start: request.start, end: owner.clock() })
  }
}

/** Replaces the picture of a face by a better one of the same visit. */
export async function updateEnrolled(client: Client, face: KnownFace): Promise<void> {
  const { owner, chance } = client
  const { id, camera, colour, request } = face
  if (camera === undefined || colour < 0 || !request.hasKey) return
  face.updates++
  const message = {
    photo: request.photo,
    photoHash: 'abcd',
    meta: chance.of(METAS),
    galleries: [],
    camera,
    update: true,
    idempotency: { key: request.photo, requestHash: `${request.photo}+${face.updates}` },
    faces: [{ box: { x1: 0, y1: 2, x2: 60, y2: 70 }, thumbnail: SHAPE }],
  }
  const outcome = await client.repeat('enrol', message, [colourBytes(colour, face.updates % 4)])
  expectMissing(owner, face, outcome)
  if (outcome.kind === 'done' && outcome.value.faces.some(updated => updated.id !== id))
    throw new Violation(`the update of face ${id} makes another face`)
}

/** Throws when a face has a meta that no change gave it. `from` is the start of the read. */
export function expectMeta({ namesPersons }: OwnerModel, face: KnownFace, meta: string, from?: number): void {
  const possible = face.meta.possible(from)
  if (!namesPersons && !possible.has('') && !possible.has(meta))
    throw new Violation(`face ${face.id} has the meta "${meta}", not ${[...possible].join(' or ')}`)
}

/** Throws when a face is missing that must be there. `from` is the start of the request. */
export function expectMissing(owner: OwnerModel, face: KnownFace, outcome: Outcome<unknown>): void {
  if (outcome.kind === 'refused' && outcome.code === 'NOT_FOUND' && face.mayGoSince === undefined)
    throw new Violation(`face ${face.id} of ${owner.id} (${face.request.photo}) is gone`)
}

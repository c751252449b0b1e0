/** Visits whose frames are posted one by one: faces that get the name of a person, and the effect of a correction. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { seededRandom } from '#core/vector-store/index/seeded-random.ts'
import { form } from '#test/support/client.ts'
import { ffmpeg } from '#test/support/photos/clips.ts'
import type { DetectedFace } from '../../../clients/typescript/src/index.ts'
import { need, progress } from '../../benchmark.ts'
import type { Rig, Served } from '../../rig.ts'
import { shuffled } from '../../statistics.ts'

const KNOWN = 30
const STRANGERS = 15
/** Photos of a person with one face each: the enrolled photo, and the photos of visits. */
const PHOTOS = 4
const FRAMES_OF_VISIT = 3
/** People whose frame is corrected, for each look. */
const CORRECTED = 12

interface Person {
  name: string
  photos: { path: string; face: DetectedFace }[]
}

interface Posted {
  id: number
  person_id?: number
  candidate?: { person: { id: number } }
}

const box = ({ x1, y1, x2, y2 }: DetectedFace, top: number, height: number, colour: string) => {
  const [width, tall] = [x2 - x1, y2 - y1]
  const sides = [x1 + 0.05 * width, y1 + top * tall, 0.9 * width, height * tall].map(Math.round)
  return `drawbox=${sides.join(':')}:color=${colour}:t=fill`
}

/** What hides a face, as an ffmpeg filter. */
const LOOKS: Readonly<Record<string, (face: DetectedFace) => string>> = {
  sunglasses: face => box(face, 0.26, 0.2, 'black'),
  mask: face => box(face, 0.56, 0.44, '0x88aacc'),
  dark: () => 'lutrgb=r=val/8:g=val/8:b=val/8,noise=alls=6:allf=t',
}

/** The picture of a photo moves from frame to frame. */
const moved = (frame: number) => `crop=iw-16:ih-16:${4 * frame}:${12 - 4 * frame}`

/** A service with enrolled people. */
interface Scene {
  random: () => number
  send: Served['send']
  known: readonly Person[]
  strangers: readonly Person[]
  /** Ids of the persons of known people. */
  ids: ReadonlyMap<string, number>
  /** Posts a photo with these filters as a frame of a camera. */
  post(photo: string, ...filters: string[]): Promise<Posted>
}

/** Enrols thirty people by one photo, and posts two visits of each, and three visits of each of fifteen strangers. */
export async function frames(service: Served, images: string, rig: Rig) {
  const scene = await sceneOf(service, images, rig)
  return { ...(await visits(scene)), corrections: await corrections(scene) }
}

async function sceneOf(service: Served, images: string, rig: Rig): Promise<Scene> {
  const { send } = service
  await send('PUT', '/v1/settings', { person_identify: true, person_identify_global: true })
  const random = seededRandom(1)
  const people = await peopleIn(service, images, random)
  const known = people.slice(0, KNOWN)
  const { body: camera } = await send('POST', '/v1/camera', { url: 'http://camera.example/', meta: 'Door' })
  const path = join(await rig.folder(), 'frame.jpg')
  const enrol = async (file: string, fields: Record<string, string>): Promise<Posted> => {
    const photo = new Uint8Array(await readFile(file))
    const { status, body } = await send('POST', '/v1/face', form({ photo, ...fields }))
    if (status !== 200) throw new Error(`A photo was answered with ${status}.`)
    return body.results[0]
  }
  const ids = new Map<string, number>()
  for (const { name, photos } of known)
    ids.set(name, (await enrol(photos[0]!.path, { person: name })).person_id!)
  const post = (photo: string, ...filters: string[]) => {
    ffmpeg('-i', photo, '-vf', filters.join(), '-q:v', '3', path)
    return enrol(path, { cam_id: camera.id })
  }
  return { random, send, known, strangers: people.slice(KNOWN), ids, post }
}

async function visits({ random, known, strangers, ids, post }: Scene) {
  const enrolled = new Set(ids.values())
  const counts = { visits: 0, named: 0, probable: 0, namedWrong: 0, foundedPerson: 0 }
  const ofStrangers = new Map<string, Set<number>>()
  for (const { name, photo } of shuffled([...visitsOf(known, 2), ...visitsOf(strangers, 3)], random)) {
    const own = ids.get(name)
    const seen: Posted[] = []
    for (let frame = 0; frame < FRAMES_OF_VISIT; frame++) seen.push(await post(photo, moved(frame)))
    const persons = seen.flatMap(({ person_id }) => person_id ?? [])
    if (persons.some(id => enrolled.has(id) && id !== own)) counts.namedWrong++
    if (own === undefined) {
      ofStrangers.set(name, new Set([...(ofStrangers.get(name) ?? []), ...persons]))
      continue
    }
    counts.visits++
    if (persons.includes(own)) counts.named++
    else if (seen.some(({ candidate }) => candidate?.person.id === own)) counts.probable++
    if (persons.some(id => !enrolled.has(id))) counts.foundedPerson++
  }
  const keptTogether = [...ofStrangers.values()].filter(persons => persons.size === 1).length
  return { ...counts, strangers: strangers.length, keptTogether }
}

/** Of faces that are hidden and get their person by hand: whether the next two frames of the visit get it, too. */
async function corrections({ random, send, known, ids, post }: Scene) {
  const counts: Record<string, { corrected: number; bothNextNamed: number }> = {}
  for (const [look, filter] of Object.entries(LOOKS)) {
    progress(look)
    let [corrected, bothNextNamed] = [0, 0]
    for (const { name, photos } of shuffled(known, random).slice(0, CORRECTED)) {
      const { path, face } = photos.at(-1)!
      const own = ids.get(name)
      const { id, person_id } = await post(path, filter(face), moved(0))
      if (person_id === own) continue
      const { status } = await send('PUT', `/v1/face/id/${id}`, { person_id: own })
      if (status !== 200) throw new Error(`A correction was answered with ${status}.`)
      corrected++
      const next = [await post(path, filter(face), moved(1)), await post(path, filter(face), moved(2))]
      if (next.every(posted => posted.person_id === own)) bothNextNamed++
    }
    counts[look] = { corrected, bothNextNamed }
  }
  return counts
}

/** Visits with a photo each, none of them the first one. */
const visitsOf = (people: readonly Person[], visits: number) =>
  people.flatMap(({ name, photos }) => photos.slice(1, visits + 1).map(({ path }) => ({ name, photo: path })))

/** People with enough photos of one face. */
async function peopleIn({ send }: Served, images: string, random: () => number): Promise<Person[]> {
  const people: Person[] = []
  const folders = (await readdir(images, { withFileTypes: true })).filter(entry => entry.isDirectory())
  for (const { name } of shuffled(folders, random)) {
    const photos: Person['photos'] = []
    for (const file of await readdir(join(images, name))) {
      const path = join(images, name, file)
      const { body } = await send('POST', '/v1/detect', form({ photo: new Uint8Array(await readFile(path)) }))
      if (body.faces?.length === 1) photos.push({ path, face: body.faces[0] })
      if (photos.length === PHOTOS) break
    }
    if (photos.length < PHOTOS) continue
    people.push({ name, photos })
    if (people.length === KNOWN + STRANGERS) return people
  }
  need(false, `${KNOWN + STRANGERS} people with ${PHOTOS} photos of one face each`)
  return people
}

/** Named people who enter six times before a camera: sharp, blurred, in the dark, far away, and turned away. */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { form } from '#test/support/client.ts'
import { ffmpeg } from '#test/support/photos/clips.ts'
import type { DetectedFace } from '../../../clients/typescript/src/index.ts'
import { need, progress } from '../../benchmark.ts'
import type { Rig, Served } from '../../rig.ts'
import { fixed } from '../../statistics.ts'
import { listed } from '../listed.ts'
import { addCameras, CODEC, startWatcher, until } from './watching.ts'

const PEOPLE = 10
const ENTRANCES = 6

/** Photos of one person: two enrolled ones, three for the camera, and the one that is turned away most. */
const ENROLLED = 2
const PHOTOS = ENROLLED + 4
/** Photos among which those are chosen. */
const CONSIDERED = 12

/** Seconds of an entrance, and seconds without anybody after it, which end the visit. */
const SHOWN_S = 4
const EMPTY_S = 5
const SLOT_MS = 1_000 * (SHOWN_S + EMPTY_S)

/** The photo of a person that a look shows, and what is done to it. The turned photo is the last one. */
const LOOKS = [
  { photo: ENROLLED, filter: 'null' },
  { photo: ENROLLED + 1, filter: 'gblur=sigma=12' },
  { photo: ENROLLED + 2, filter: 'lutrgb=r=val/10:g=val/10:b=val/10' },
  { photo: ENROLLED, filter: 'scale=iw/4:-1,pad=640:360:(ow-iw)/2:(oh-ih)/2' },
  { photo: PHOTOS - 1, filter: 'null' },
] as const

interface Entering {
  name: string
  /** From front to side. */
  photos: string[]
}

/** Enrols ten people by two photos each, shows them to a camera, and counts the persons of its events. */
export async function entering(service: Served, images: string, rig: Rig) {
  const { send } = service
  const people = await peopleIn(service, images)
  await send('PUT', '/v1/settings', { person_identify: true, person_identify_global: true })
  const persons = new Map<number, string>()
  for (const { name, photos } of people)
    for (const photo of photos.slice(0, ENROLLED)) {
      const { body } = await send('POST', '/v1/face', form({ photo: await bytesOf(photo), person: name }))
      persons.set(body.results[0].person_id, name)
    }
  const shown = Array.from({ length: PEOPLE * ENTRANCES }, (_, slot) => people[slot % PEOPLE]!)
  const folder = await rig.folder()
  await writeEntrances(folder, shown)
  const events = await watched(service, folder, shown.length, rig)
  const nameOf = ({ person_id }: Seen) => persons.get(person_id)
  const named = events.filter(event => nameOf(event) !== undefined)
  const seen = new Set(events.map(({ slot }) => slot))
  return {
    ...{ people: PEOPLE, entrances: shown.length, missed: shown.filter((_, slot) => !seen.has(slot)).length },
    ...{ eventsPerVisit: fixed(events.length / shown.length, 2), named: named.length },
    namedWrong: named.filter(event => nameOf(event) !== shown[event.slot]?.name).length,
    split: events.filter(event => typeof event.person_id === 'number' && !persons.has(event.person_id))
      .length,
    withoutPerson: events.filter(event => typeof event.person_id !== 'number').length,
  }
}

const bytesOf = async (path: string) => new Uint8Array(await readFile(path))

/** People with enough photos of one face, in the order of their names. */
async function peopleIn({ send }: Served, images: string): Promise<Entering[]> {
  const people: Entering[] = []
  for (const name of (await readdir(images)).sort()) {
    const files = (await readdir(join(images, name))).sort().slice(0, CONSIDERED)
    if (files.length < PHOTOS) continue
    const turned: { photo: string; yaw: number }[] = []
    for (const photo of files.map(file => join(images, name, file))) {
      const { body } = await send('POST', '/v1/detect', form({ photo: await bytesOf(photo), quality: '1' }))
      const [face, other] = body.faces as DetectedFace[]
      if (face?.quality && !other) turned.push({ photo, yaw: Math.abs(face.quality.yaw) })
    }
    if (turned.length < PHOTOS) continue
    const photos = turned.sort((a, b) => a.yaw - b.yaw).map(({ photo }) => photo)
    people.push({ name, photos: [...photos.slice(0, PHOTOS - 1), photos.at(-1)!] })
    if (people.length === PEOPLE) return people
  }
  need(false, `${PEOPLE} people with ${PHOTOS} photos each`)
  return people
}

/** Writes one clip with an entrance in each slot. Looks change from person to person and from entrance to entrance. */
async function writeEntrances(folder: string, shown: readonly Entering[]): Promise<void> {
  const empty = join(folder, 'empty.ts')
  ffmpeg('-f', 'lavfi', '-i', `smptebars=s=640x360:r=10:d=${EMPTY_S}`, ...CODEC, empty)
  const scenes: Buffer[] = []
  for (const [slot, { photos }] of shown.entries()) {
    const { photo, filter } = LOOKS[(slot + Math.floor(slot / PEOPLE)) % LOOKS.length]!
    const path = join(folder, `scene-${slot}.ts`)
    const move = `crop=640:360:'20+20*sin(3*t)':'150+20*cos(3*t)'`
    ffmpeg(
      ...['-loop', '1', '-i', photos[photo]!, '-t', String(SHOWN_S)],
      ...['-vf', `fps=10,scale=700:700,${move},${filter},setsar=1`, ...CODEC, path],
    )
    scenes.push(await readFile(path), await readFile(empty))
  }
  // Joined scenes get new time stamps.
  const joined = join(folder, 'scenes')
  await writeFile(joined, Buffer.concat(scenes))
  ffmpeg('-i', joined, ...CODEC, join(folder, 'entering.ts'))
}

/** An event, and the slot in which it began. */
type Seen = Awaited<ReturnType<typeof listed>>[number] & { slot: number }

/** The events of a camera that shows the clip once. Poor faces are posted, too. */
async function watched(service: Served, folder: string, slots: number, rig: Rig): Promise<Seen[]> {
  const options = { absence: 2, min_quality: 0 }
  const [camera] = await addCameras(service, 1, { url: 'entering.ts', options }, rig)
  let opened = 0
  const watcher = startWatcher(service, ['--files', folder], ({ event }) => {
    if (event === 'camera open') opened ||= Date.now()
  })
  rig.defer(() => watcher.stop('SIGKILL'))
  await until(() => opened > 0, 60_000, 'The camera has not opened')
  for (let slot = 0; slot < slots; slot++) {
    if (slot % PEOPLE === 0) progress(`entrance ${slot + 1} of ${slots}`)
    await sleep(SLOT_MS)
  }
  await watcher.stop('SIGTERM')
  const faces = await listed(service.send, `cam_id=${camera}`)
  return faces.map(face => {
    // The first frame arrives before the watcher says that the camera is open.
    const slot = Math.round((Date.parse(face.detector_info.first_seen!) - opened) / SLOT_MS)
    return { ...face, slot }
  })
}

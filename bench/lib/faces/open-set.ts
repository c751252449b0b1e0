/** A gallery of known people in a real store: searches of it with known people and strangers, and its check. */

import { FACE_LIMITS } from '#contract/limits/faces.ts'
import type { SearchTarget } from '#contract/model/face.ts'
import { tableScale } from '#core/calibration/scale.ts'
import { ownerNamed } from '#core/metadata/access/owners.ts'
import { insertPersons } from '#core/metadata/persons/persons.ts'
import { faces } from '#core/metadata/schema.ts'
import { checkGallery } from '#core/operations/galleries/check-gallery.ts'
import { assignPersons } from '#core/operations/persons/assign.ts'
import { changeGrouping, continueGroupings } from '#core/operations/persons/group.ts'
import { closestFaces } from '#core/operations/search/closest/closest-faces.ts'
import { closestPersons } from '#core/operations/search/closest/closest-persons.ts'
import { judgementOf } from '#core/operations/search/judgement/judgement.ts'
import type { Services } from '#core/operations/services.ts'
import { servicesOf } from '#core/operations/services.ts'
import type { LinkKeys } from '#core/pictures/links.ts'
import { openStores } from '#core/stores.ts'
import type { Calibration } from '#models/calibrations.ts'
import { faceRow, OWNER } from '#test/support/sample-faces.ts'
import type { Rig } from '../../rig.ts'

export const TARGETS = ['faces', 'persons'] as const

/** FPIRs that are requested. */
export const REQUESTED = [1e-2, 3e-3, 1e-3] as const

/** An enrolled person: embeddings of the enrolled pictures, and of other pictures as probes. */
export interface Enrolled {
  pictures: readonly Float32Array[]
  probes: readonly Float32Array[]
}

/** Best confidence of each probe. */
export interface Searched {
  /** Of strangers, in the order of the probes. */
  strangers: number[]
  /** Of probes whose closest person is correct; 0 for another person. */
  known: number[]
  /** Threshold for each of REQUESTED, as the service finds it. */
  thresholds: number[]
}

/** Enrols the people, each as a person, in a new store, and searches it for persons and for single faces. */
export async function searchGallery(
  rig: Rig,
  table: Calibration,
  enrolled: readonly Enrolled[],
  strangers: readonly Float32Array[],
): Promise<Record<SearchTarget, Searched>> {
  const { services, close } = await openServices(rig, table)
  await enrolAll(services, enrolled)
  const gallery = { owner: OWNER, gallery: 'default' }
  const results = {} as Record<SearchTarget, Searched>
  for (const target of TARGETS) {
    const judgement = await judgementOf(services, gallery, target)
    const searched: Searched = {
      strangers: [],
      known: [],
      thresholds: REQUESTED.map(fpir => judgement.bound(fpir).threshold),
    }
    for (const probe of strangers) searched.strangers.push((await best(services, target, probe)).confidence)
    for (const [person, { probes }] of enrolled.entries())
      for (const probe of probes) {
        const found = await best(services, target, probe)
        searched.known.push(found.person === person ? found.confidence : 0)
      }
    results[target] = searched
  }
  await close()
  return results
}

/** Services on a new store. */
async function openServices(rig: Rig, table: Calibration) {
  const stores = await openStores(await rig.folder())
  const scale = tableScale(table)
  const links = (): LinkKeys => [{ id: '', key: '' }]
  return { services: servicesOf(stores, { scale, embed: async () => [], links }), close: stores.close }
}

/** Enrols without pictures. Returns the ids of the faces, person by person. */
async function enrolAll(
  services: Services,
  enrolled: readonly Pick<Enrolled, 'pictures'>[],
): Promise<number[]> {
  const { database, vectors } = services
  await ownerNamed(database, { id: OWNER, name: 'bench', created: 0 })
  const rows = enrolled.flatMap(({ pictures }, person) =>
    pictures.map(vector => ({ person, vector, id: services.nextId() })),
  )
  await insertPersons(
    database,
    enrolled.map((_, id) => ({ owner: OWNER, id, meta: '' })),
  )
  const values = rows.map(({ person, id }) => faceRow(OWNER, person, { id }))
  for (let i = 0; i < values.length; i += 500) await database.insert(faces).values(values.slice(i, i + 500))
  await vectors.add(rows.map(({ id, vector }) => ({ gallery: `${OWNER}_default`, id, vector })))
  return rows.map(({ id }) => id)
}

/** The closest person and the confidence of it. */
async function best(
  services: Services,
  target: SearchTarget,
  probe: Float32Array,
): Promise<{ person: number | undefined; confidence: number }> {
  const search = { owner: OWNER, gallery: 'default', threshold: 0, limit: 1 }
  if (target === 'persons') {
    const [found] = (await closestPersons(services, search, probe)).persons
    return { person: found?.id, confidence: found?.confidence ?? 0 }
  }
  const [found] = (await closestFaces(services, search, probe)).found
  return { person: found?.face.personId as number | undefined, confidence: found?.confidence ?? 0 }
}

/** Persons that the service makes of photos: by enrolling them in sequence, and by grouping them. */
interface Persons {
  persons: number
  /** People with several persons, and persons with photos of several people. */
  split: number
  joined: number
  /** Photos without a person: each probably shows a known person. */
  unanswered: number
}

/** Enrols the photos (embedding, number of the subject) in this order with persons on all cameras, and groups them. */
export async function automaticPersons(
  rig: Rig,
  table: Calibration,
  photos: readonly { vector: Float32Array; subject: number }[],
): Promise<{ enrolled: Persons; grouped: Persons }> {
  const opened = await openServices(rig, table)
  const options = { ...opened.services.options, person_identify: true, person_identify_global: true }
  const services = { ...opened.services, options }
  const { database, vectors } = services
  await ownerNamed(database, { id: OWNER, name: 'bench', created: 0 })
  const subjects = new Map<number, number>()
  for (const { vector, subject } of photos) {
    const row = faceRow(OWNER, null, { id: services.nextId() })
    const { faces: found, persons } = await assignPersons(services, OWNER, [{ face: row, embedding: vector }])
    if (persons.length > 0) await insertPersons(database, persons)
    await database.insert(faces).values(found)
    await vectors.add([{ gallery: `${OWNER}_default`, id: row.id, vector }])
    subjects.set(row.id, subject)
  }
  const enrolled = await countPersons(services, subjects)
  await changeGrouping(services, { owner: OWNER, action: 'start' } as Parameters<typeof changeGrouping>[1])
  await continueGroupings(services, () => false)
  const grouped = await countPersons(services, subjects)
  await opened.close()
  return { enrolled, grouped }
}

async function countPersons({ database }: Services, subjects: ReadonlyMap<number, number>): Promise<Persons> {
  const rows = await database.select({ id: faces.id, personId: faces.personId }).from(faces)
  const given = rows.filter(({ personId }) => personId !== null)
  type Row = (typeof rows)[number]
  const personOf = ({ personId }: Row) => personId
  const subjectOf = ({ id }: Row) => subjects.get(id)
  const groupsWithSeveral = (groupOf: (row: Row) => unknown, value: (row: Row) => unknown) =>
    [...Map.groupBy(given, groupOf).values()].filter(own => new Set(own.map(value)).size > 1).length
  return {
    persons: new Set(given.map(personOf)).size,
    split: groupsWithSeveral(subjectOf, personOf),
    joined: groupsWithSeveral(personOf, subjectOf),
    unanswered: rows.length - given.length,
  }
}

/** Share of the photos that are given to a wrong person. */
const SHARE = 0.03

/** Shares of the mistakes, and of the good photos, that a finding `disagrees` or `divided` names. */
export async function checkPlanted(
  rig: Rig,
  table: Calibration,
  people: readonly (readonly Float32Array[])[],
  random: () => number,
) {
  const { byPerson, wrong } = planted(people, random)
  const { services, close } = await openServices(rig, table)
  const ids = await enrolAll(
    services,
    byPerson.map(pictures => ({ pictures })),
  )
  const pictures = byPerson.flat()
  const isWrong = new Map(ids.map((id, i) => [id, wrong.has(pictures[i]!)]))
  const named = await namedFaces(services)
  await close()
  const mistakes = ids.filter(id => isWrong.get(id))
  const good = ids.filter(id => !isWrong.get(id))
  const shareNamed = (of: readonly number[]) => of.filter(id => named.has(id)).length / of.length
  return {
    photos: ids.length,
    mistakes: mistakes.length,
    found: shareNamed(mistakes),
    goodNamed: shareNamed(good),
  }
}

/** The pictures by the person that they are given to, and the wrong ones. */
function planted(people: readonly (readonly Float32Array[])[], random: () => number) {
  const photos = people.flatMap((pictures, person) => pictures.map(picture => ({ picture, person })))
  const wrong = new Set<Float32Array>()
  while (wrong.size < Math.round(photos.length * SHARE)) {
    const photo = photos[Math.floor(random() * photos.length)]!
    const person = Math.floor(random() * people.length)
    if (wrong.has(photo.picture) || person === photo.person) continue
    photo.person = person
    wrong.add(photo.picture)
  }
  const byPerson = people.map(() => [] as Float32Array[])
  for (const { picture, person } of photos) byPerson[person]!.push(picture)
  return { byPerson, wrong }
}

/** Ids of the faces that `disagrees` or `divided` names. */
async function namedFaces(services: Services) {
  const named = new Set<number>()
  for (let minId: number | undefined; ; ) {
    const request = { owner: OWNER, gallery: 'default', limit: FACE_LIMITS.checkPage, minId }
    const { findings, next } = await checkGallery(services, request)
    for (const { kind, faces } of findings)
      if (kind === 'disagrees' || kind === 'divided') for (const { id } of faces) named.add(id)
    if (next === undefined) return named
    minId = next
  }
}

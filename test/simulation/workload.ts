/** Random requests of a client, and what their outcomes tell the model. */

import { environment } from '#contract/environment.ts'
import { times } from '#test/support/times.ts'
import { type Client, Violation } from './client.ts'
import {
  BRIEF,
  colourBytes,
  enrol,
  expectMeta,
  expectMissing,
  GALLERIES,
  GIVEN_PERSONS,
  MERGED,
  METAS,
  PEOPLE,
  updateEnrolled,
} from './enrolments.ts'
import type { KnownFace, OwnerModel } from './model.ts'

type Act = (client: Client, face: KnownFace | undefined, other: OwnerModel) => Promise<void> | undefined

/** The operations of a client, and how often each one runs. */
const OPERATIONS: readonly [weight: number, act: Act][] = [
  [20, client => enrol(client)],
  [3, (client, face) => face && updateEnrolled(client, face)],
  [8, (client, face) => face && join(client, face)],
  [4, (client, face) => face && rename(client, face)],
  [6, (client, face) => face && deleteFace(client, face)],
  [1, client => deleteWithMeta(client)],
  [4, client => createGallery(client)],
  [2, client => deleteGallery(client)],
  [
    8,
    (client, face) =>
      client.owner.namesPersons ? client.chance.of(PERSON_CHANGES)(client, face) : undefined,
  ],
  [3, client => (client.owner.namesPersons ? meet(client) : undefined)],
  [1, client => deletePerson(client)],
  [4, client => createRule(client)],
  [1, client => deleteRule(client)],
  [8, (client, face) => read(client, face)],
  [2, (client, _, other) => intrude(client, other)],
]

const WEIGHTED = OPERATIONS.flatMap(([weight, act]) => times(weight, () => act))

/** Runs a random operation. `other` is another owner. Throws Violation. */
export async function act(client: Client, other: OwnerModel): Promise<void> {
  const { owner, chance } = client
  const present = owner.present()
  // Half of the requests meet at the newest face.
  const face = present.length > 0 ? chance.of(chance.is(0.5) ? present : present.slice(-1)) : undefined
  await chance.of(WEIGHTED)(client, face, other)
}

async function join(client: Client, face: KnownFace) {
  const { owner, chance } = client
  const kind = chance.of(['add', 'del'] as const)
  const names = [...owner.galleries.keys()].filter(
    name => kind === 'add' || owner.memberOf(face, name).possible().has(true),
  )
  if (names.length === 0) return
  const name = chance.of(names)
  // A face in this gallery may expire at any time.
  if (name === BRIEF && kind === 'add') owner.mayDelete(other => other === face)
  const write = owner.memberOf(face, name).begin(kind === 'add')
  const outcome = await client.send('face.update', { id: face.id, galleries: { kind, names: [name] } })
  write.end = owner.clock()
  write.isSure = outcome.kind === 'done'
  if (outcome.kind === 'unavailable') owner.memberOf(face, name).withdraw(write)
  expectMissing(owner, face, outcome)
}

/** Gives a face another meta. Names of persons change metas, too, where clients give them. */
async function rename({ owner, chance, send }: Client, face: KnownFace) {
  if (owner.namesPersons) return
  const write = face.meta.begin(chance.of(METAS.slice(1)))
  const outcome = await send('face.update', { id: face.id, meta: write.value })
  Object.assign(write, { end: owner.clock(), isSure: outcome.kind === 'done' })
  if (outcome.kind === 'unavailable') face.meta.withdraw(write)
  expectMissing(owner, face, outcome)
}

async function deleteFace(client: Client, face: KnownFace) {
  const { owner } = client
  owner.mayDelete(other => other === face)
  const outcome = await client.send('face.delete', { id: face.id })
  if (outcome.kind === 'done') owner.deleted([face.id])
  if (outcome.kind === 'refused' && face.deletions === 1)
    throw new Violation(`face ${face.id} is gone before its deletion`)
  if (outcome.kind === 'refused') owner.deleted([face.id])
}

async function deleteWithMeta(client: Client) {
  const { owner, chance } = client
  const meta = chance.of(METAS.slice(1))
  const certain = owner.certain().filter(face => !owner.namesPersons && face.meta.isCertain(meta))
  const start = owner.clock()
  const mayHave = (face: KnownFace) =>
    owner.namesPersons || ['', meta].some(one => face.meta.possible(start).has(one))
  const expected = owner.mayDelete(mayHave)
  const outcome = await client.send('faces.delete-with-meta', { meta })
  owner.mayDelete(face => mayHave(face) && !expected.has(face))
  if (outcome.kind !== 'done') return
  owner.deleted(outcome.value.faces)
  const left = certain.find(
    face =>
      face.goneSince === undefined &&
      face.deletions === 1 &&
      face.meta.possible(start).size === 1 &&
      !outcome.value.faces.includes(face.id),
  )
  if (left) throw new Violation(`face ${left.id} is not deleted with its meta`)
}

async function createGallery(client: Client) {
  const { owner, chance } = client
  const name = chance.of(GALLERIES)
  const write = owner.gallery(name).begin(true)
  const retention = name === BRIEF ? { retentionDays: 1 } : {}
  const outcome = await client.send('gallery.create', { gallery: name, ...retention })
  write.end = owner.clock()
  write.isSure = outcome.kind === 'done'
  if (outcome.kind === 'unavailable') owner.gallery(name).withdraw(write)
}

async function deleteGallery(client: Client) {
  const { owner, chance } = client
  const name = chance.of(GALLERIES)
  owner.mayDelete(face => owner.memberOf(face, name).possible().has(true))
  const members = owner.present().filter(face => owner.memberOf(face, name).isCertain(true))
  const write = owner.gallery(name).begin(false)
  const outcome = await client.send('gallery.delete', { gallery: name })
  // Faces that join during the deletion are deleted too.
  owner.mayDelete(face => owner.memberOf(face, name).possible(write.start).has(true))
  if (outcome.kind === 'unavailable') owner.gallery(name).withdraw(write)
  if (outcome.kind === 'refused') {
    owner.gallery(name).withdraw(write)
    // Another client may have deleted it first.
    if (!owner.gallery(name).possible(write.start).has(false))
      throw new Violation(`the gallery ${name} is gone`)
  }
  if (outcome.kind !== 'done') return
  write.end = owner.clock()
  write.isSure = true
  for (const face of members)
    if (owner.memberOf(face, name).possible(write.start).size === 1) face.isGoing = true
}

async function deletePerson(client: Client) {
  const { owner, chance } = client
  // The service gives the first ids.
  const id = chance.of(owner.namesPersons ? GIVEN_PERSONS : [...GIVEN_PERSONS, 1, 2, 3])
  owner.mayDelete(face => owner.mayBeOf(face, id))
  const write = owner.person(id).begin(false)
  // A grouping may join a person that was split off this one, when this one is gone.
  for (const face of owner.faces.values())
    if (givenPersonsOf(face).some(one => !owner.persons.has(one))) face.person.begin('any')
  const outcome = await client.send('person.delete', { id })
  owner.mayDelete(face => owner.mayBeOf(face, id, write.start))
  if (outcome.kind !== 'done') return
  Object.assign(write, { end: owner.clock(), isSure: true })
  owner.deleted(outcome.value.faces)
}

async function createRule(client: Client) {
  const { owner, chance } = client
  const start = owner.clock()
  const url = `http://receiver/${chance.uuid()}`
  const alert = { name: '', enabled: true, url, threshold: 0, time_zone: 'UTC', cooldown_seconds: 0 }
  const person_ids = owner.namesPersons && chance.is(0.5) ? GIVEN_PERSONS : undefined
  const outcome = await client.send('alert.create', {
    alert: { ...alert, ...(person_ids && { person_ids }) },
    origin: 'http://here',
  })
  if (outcome.kind !== 'done') return
  const { id } = outcome.value.alert
  owner.rules.push({ id, url, start, end: owner.clock(), isOfAll: !person_ids, mayGoSince: undefined })
}

async function deleteRule(client: Client) {
  const { owner, chance } = client
  if (owner.rules.length === 0) return
  const rule = chance.of(owner.rules)
  rule.mayGoSince ??= owner.clock()
  await client.send('alert.delete', { id: rule.id })
}

/** Reads and compares: acknowledged faces are there, deleted ones are not, and all are of the owner. */
async function read(client: Client, face: KnownFace | undefined) {
  const { owner, chance } = client
  if (face && chance.is(0.4)) {
    const start = owner.clock()
    const outcome = await client.send('face.get', { id: face.id })
    if (outcome.kind === 'done') expectMeta(owner, face, outcome.value.face.meta, start)
    return expectMissing(owner, face, outcome)
  }
  const gone = new Set(owner.gone)
  const certain = owner.certain()
  const expectAll = (found: readonly { id: number; photo: string }[], wanted: readonly KnownFace[]) => {
    for (const { id, photo } of found) {
      if (!owner.requests.has(photo)) throw new Violation(`${owner.id} sees the face ${id} of another owner`)
      if (gone.has(id)) throw new Violation(`the deleted face ${id} returns`)
    }
    const ids = new Set(found.map(({ id }) => id))
    const lost = wanted.find(({ id, mayGoSince }) => mayGoSince === undefined && !ids.has(id))
    if (lost) throw new Violation(`face ${lost.id} is not found`)
  }
  if (chance.is(0.5)) {
    const colour = chance.below(PEOPLE)
    const search = { gallery: 'default', threshold: 0.9, limit: 100 }
    const outcome = await client.send('identify', search, [colourBytes(colour)])
    if (outcome.kind !== 'done') return
    const { matches, live, total } = outcome.value
    const found = matches.flat().map(({ face }) => face)
    expectAll(found, live === total ? certain.filter(face => face.colour === colour) : [])
  } else {
    const outcome = await client.send('faces.page', { limit: 1_000 })
    if (outcome.kind === 'done') expectAll(outcome.value.faces, certain)
  }
}

async function intrude({ owner, chance, send }: Client, other: OwnerModel) {
  const face = other.present().at(-1)
  if (!face || other === owner) return
  const name = chance.of(['face.get', 'face.delete', 'face.update'] as const)
  const outcome = await send(name, { id: face.id, ...(name === 'face.update' && { meta: 'z' }) })
  if (outcome.kind === 'done')
    throw new Violation(`${name} of ${owner.id} reaches face ${face.id} of ${other.id}`)
}

/** A change of a person: of a person that clients name, or of the person of the face. */
type PersonChange = (client: Client, face: KnownFace | undefined) => Promise<void>

const renamePerson: PersonChange = async ({ chance, send }) => {
  await send('person.update', { id: chance.of(GIVEN_PERSONS), meta: chance.of(METAS), faces: false })
}

const give: PersonChange = async ({ owner, chance, send }, face) => {
  if (!face) return
  const id = chance.of(GIVEN_PERSONS)
  const [write, person] = [face.person.begin(id), owner.person(id).begin(true)]
  const outcome = await send('face.update', { id: face.id, personId: id })
  for (const one of [write, person])
    Object.assign(one, { end: owner.clock(), isSure: outcome.kind === 'done' })
  expectMissing(owner, face, outcome)
}

/** Takes a face away from its person. A grouping may give it another one. */
const take: PersonChange = async ({ owner, send }, face) => {
  const [from] = givenPersonsOf(face)
  if (!face || from === undefined) return
  face.person.begin('any')
  const outcome = await send('face.update', { id: face.id, notPerson: from })
  if (owner.persons.get(from)?.isCertain(true)) expectMissing(owner, face, outcome)
}

const merge: PersonChange = client => {
  const id = client.chance.of(GIVEN_PERSONS)
  const other = client.chance.of(GIVEN_PERSONS.filter(given => given !== id))
  return mergeInto(client, id, other)
}

async function mergeInto({ owner, send }: Client, id: number, other: number) {
  const gone = owner.person(other).begin(false)
  const merged = { from: other, to: id }
  owner.merges.push(merged)
  const outcome = await send('person.merge', { id, persons: [other] })
  // Another core may complete the recorded merge of a dead core at any later time.
  if (outcome.kind !== 'unknown') Object.assign(gone, { end: owner.clock(), isSure: outcome.kind === 'done' })
  if (outcome.kind === 'refused') owner.merges.splice(owner.merges.indexOf(merged), 1)
}

const split: PersonChange = async ({ owner, send }, face) => {
  const [from] = givenPersonsOf(face)
  if (!face || from === undefined) return
  const write = face.person.begin('any')
  const outcome = await send('person.split', { id: from, faces: [face.id] })
  if (outcome.kind !== 'done') return
  Object.assign(write, { value: outcome.value.person.id, end: owner.clock(), isSure: true })
}

const group: PersonChange = async ({ chance, send }) => {
  await send('persons.group', { action: chance.of(['start', 'start', 'stop', 'undo'] as const) })
}

const PERSON_CHANGES = [renamePerson, give, take, merge, split, group]

const givenPersonsOf = (face?: KnownFace) =>
  [...(face?.person.possible() ?? [])].filter(value => typeof value === 'number')

/**
 * A person is merged into a new one while its faces are enrolled, moved and grouped. The new one is merged by the next meeting: faces
 * of one colour are of the person with the oldest of them. No later request names a merged person.
 */
async function meet(client: Client) {
  const { owner, chance } = client
  const [other, id] = [owner.newestPerson, owner.newPerson()]
  for (const personId of [other, id]) await enrol(client, { colours: [MERGED], personId })
  const joining = { colours: [MERGED], personId: undefined }
  const change = chance.of([give, take, split, group])
  await Promise.all([
    enrol(client, joining),
    enrol(client, joining),
    within(ENROLMENT_STEPS, () => mergeInto(client, id, other)),
    within(ENROLMENT_STEPS, () => change(client, owner.present().at(-1))),
  ])

  /** A change is much shorter than an enrolment: it begins somewhere in it. */
  async function within(steps: number, work: () => Promise<void>) {
    for (let step = chance.below(steps); step > 0; step--) await environment.turn()
    await work()
  }
}

/** Steps of about two enrolments. */
const ENROLMENT_STEPS = 40

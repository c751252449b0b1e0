/** Random changes of the persons of an owner: renamed, given, taken, merged, split and grouped. */
import { environment } from '#contract/environment.ts'
import type { Client } from './client.ts'
import { enrol, expectMissing, GIVEN_PERSONS, MERGED, METAS } from './enrolments.ts'
import type { KnownFace } from './model.ts'

/** A change of a person: of one that clients name, or of the person of the face. */
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
  const [from] = face ? givenPersonsOf(face) : []
  if (!face || from === undefined) return
  face.person.begin('any')
  const outcome = await send('face.update', { id: face.id, notPerson: from })
  if (owner.person(from).isCertain(true)) expectMissing(owner, face, outcome)
}

const merge: PersonChange = client => {
  const id = client.chance.of(GIVEN_PERSONS)
  const other = client.chance.of(GIVEN_PERSONS.filter(given => given !== id))
  return mergeInto(client, id, other)
}

async function mergeInto({ owner, send }: Client, id: number, other: number): Promise<void> {
  const gone = owner.person(other).begin(false)
  const merged = { from: other, to: id }
  owner.merges.push(merged)
  const outcome = await send('person.merge', { id, persons: [other] })
  Object.assign(gone, { end: owner.clock(), isSure: outcome.kind === 'done' })
  if (outcome.kind === 'refused') owner.merges.splice(owner.merges.indexOf(merged), 1)
}

const split: PersonChange = async ({ owner, send }, face) => {
  const [from] = face ? givenPersonsOf(face) : []
  if (!face || from === undefined) return
  const write = face.person.begin('any')
  const outcome = await send('person.split', { id: from, faces: [face.id] })
  if (outcome.kind !== 'done') return
  Object.assign(write, { value: outcome.value.person.id, end: owner.clock(), isSure: true })
}

const group: PersonChange = async ({ chance, send }) => {
  await send('persons.group', { action: chance.of(['start', 'start', 'stop', 'undo'] as const) })
}

export const PERSON_CHANGES = [renamePerson, give, take, merge, split, group]

const givenPersonsOf = ({ person }: KnownFace): number[] =>
  [...person.possible()].filter(value => typeof value === 'number')

/**
 * A person is merged into a new one while its faces are enrolled, moved and grouped. The new one is merged by the next meeting: faces
 * of one colour are of the person with the oldest of them. No later request names a merged person.
 */
export async function meet(client: Client): Promise<void> {
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
  async function within(steps: number, work: () => Promise<void>): Promise<void> {
    for (let step = chance.below(steps); step > 0; step--) await environment.turn()
    await work()
  }
}

/** Steps of about two enrolments. */
const ENROLMENT_STEPS = 40

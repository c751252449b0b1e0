/** What must hold at rest, after all faults: the stored data, the messages and the audit log match the model. */
import { join } from 'node:path'
import { IDS_OF_A_SECOND } from '#contract/ids.ts'
import { FACE_LIMITS } from '#contract/limits/faces.ts'
import { verifyAll } from '#core/backup/verify.ts'
import { nextEntries } from '#core/metadata/audit-log/entries.ts'
import { verifyAudit } from '#core/metadata/audit-log/verification.ts'
import type { Database } from '#core/metadata/database.ts'
import { type FaceRow, nextFaceKeys } from '#core/metadata/faces/faces.ts'
import { nextIntents } from '#core/metadata/faces/intents.ts'
import { deletedGalleries } from '#core/metadata/galleries/galleries.ts'
import { abandonedChanges } from '#core/metadata/persons/person-changes.ts'
import { personById } from '#core/metadata/persons/persons.ts'
import { metadataFaults } from '#core/metadata/row-sums.ts'
import { findMissing } from '#core/operations/consistency/missing.ts'
import { deleteExpiredFaces } from '#core/operations/service/retention.ts'
import { Violation } from './client.ts'
import type { Cluster, Received } from './cluster.ts'
import { type Core, SHARED } from './core.ts'
import { BRIEF, expectMeta } from './enrolments.ts'
import type { KnownFace, KnownRule, OwnerModel } from './model.ts'
import type { Scheduler } from './scheduler.ts'

const DAY_MS = 86_400_000

/** More than the clock was set back: intents are of the time before. */
const SET_BACK_MS = 6 * 3_600_000

/** Rounds in which the messages of all rules are sent. A retry may be due hours later. */
const MOST_ROUNDS = 60

type Row = Pick<FaceRow, 'id' | 'owner' | 'photo' | 'meta' | 'personId'> & { galleries: string[] }

/** Throws Violation for the first promise that does not hold. */
export async function expectConsistent(
  scheduler: Scheduler,
  cluster: Cluster,
  owners: readonly OwnerModel[],
): Promise<void> {
  const core = await cluster.core()
  // Interrupted operations are old now. The periodic reconciliation finishes them. Operations of other cores need two passes.
  await cluster.pass(SET_BACK_MS + FACE_LIMITS.intentAgeMs, 2 * FACE_LIMITS.reconcileEveryMs + 1_000)
  await sendAll(cluster, core)
  const { database } = core.services
  const before = await rowsOf(database)
  for (const owner of owners) {
    expectFaces(
      owner,
      before.filter(row => row.owner === owner.id),
    )
    await expectRules(owner, database, cluster.received)
    await expectCounts(
      core,
      owner,
      before.filter(row => row.owner === owner.id),
    )
  }
  await expectAudit(database, owners, new Set(before.map(({ id }) => id)))
  const after = await expectExpired(scheduler, core, before)
  await expectStores(scheduler, cluster, core, after)
}

/**
 * Lets the faces of the gallery with a retention expire, second by second. Then these faces and their persons without other faces
 * are gone. Returns the remaining rows.
 */
async function expectExpired(scheduler: Scheduler, core: Core, before: readonly Row[]): Promise<Row[]> {
  const { database, now } = core.services
  for (const { id } of before
    .filter(({ galleries }) => galleries.includes(BRIEF))
    .sort((a, b) => a.id - b.id)) {
    const end = Math.floor(id / IDS_OF_A_SECOND + 1) * 1000 + DAY_MS
    scheduler.jump(Math.max(0, end - now()))
    await deleteExpiredFaces(core.services)
  }
  const after = await rowsOf(database)
  for (const { id, galleries } of after)
    if (galleries.includes(BRIEF)) throw new Violation(`face ${id} has not expired`)
  const isPerson = (row: Row) => (other: Row) => other.owner === row.owner && other.personId === row.personId
  for (const row of before.filter(row => typeof row.personId === 'number' && !after.some(isPerson(row))))
    if (await personById(database, row.owner, Number(row.personId)))
      throw new Violation(`the person ${row.personId} stays without the expired face ${row.id}`)
  return after
}

/** Sends messages until none is pending. */
async function sendAll(cluster: Cluster, { services: { database, now } }: Core) {
  for (let round = 0; round < MOST_ROUNDS; round++) {
    await cluster.pass(0, 12_000)
    const { rows } = await database.run(
      `SELECT count(*) AS pending, min(CASE WHEN due > ${now()} THEN due END) AS due
        FROM deliveries JOIN alerts ON alerts.id = deliveries.alert WHERE state = 'pending'`,
    )
    const { pending, due } = rows[0]!
    if (pending === 0) return
    // Messages that are due wait for earlier ones about the same person.
    await cluster.pass(Math.max(0, Number(due) - now()), 1_000)
  }
  throw new Violation('messages stay pending')
}

async function rowsOf(database: Database): Promise<Row[]> {
  const { rows } = await database.run('SELECT id, owner, photo, meta, person_id FROM faces')
  const keys = new Map((await nextFaceKeys(database, -1, 10_000)).map(face => [face.id, face.galleries]))
  return rows.map(row => ({
    id: Number(row.id),
    owner: String(row.owner),
    photo: String(row.photo),
    meta: String(row.meta),
    personId: row.person_id === null ? null : (JSON.parse(String(row.person_id)) as number | string),
    galleries: keys.get(Number(row.id)) ?? [],
  }))
}

function expectFaces(owner: OwnerModel, rows: readonly Row[]) {
  const ids = new Set(rows.map(({ id }) => id))
  for (const { id, request } of owner.certain())
    if (!ids.has(id)) throw new Violation(`the acknowledged face ${id} (${request.photo}) is lost`)
  for (const { id, isGoing } of owner.faces.values())
    if (isGoing && ids.has(id)) throw new Violation(`face ${id} is left of a deleted gallery`)
  for (const row of rows) {
    if (owner.gone.has(row.id)) throw new Violation(`the deleted face ${row.id} returns`)
    const face = owner.faces.get(row.id)
    if (face && face.request.photo !== row.photo) throw new Violation(`the id ${row.id} was given twice`)
    if (face) expectGalleries(owner, face, row.galleries)
    if (face) expectPerson(owner, face, row)
    if (face) expectMeta(owner, face, row.meta)
  }
  expectRequests(owner, rows)
  if (!owner.namesPersons) expectOnePersonEach(owner, rows)
}

/** Photos have all of their faces or none, once. */
function expectRequests(owner: OwnerModel, rows: readonly Row[]) {
  for (const { id, photo } of rows) {
    const request = owner.requests.get(photo)
    if (!request) throw new Violation(`face ${id} is of another owner: ${photo}`)
    if (request.faces && !request.faces.includes(id)) throw new Violation(`${photo} is stored twice: ${id}`)
  }
  for (const { photo, faces, colours, mayBeReduced } of owner.requests.values()) {
    const found = rows.filter(row => row.photo === photo).length
    if (faces === undefined && !mayBeReduced && found % colours.length !== 0)
      throw new Violation(`${photo} is stored in part`)
    if (found > colours.length) throw new Violation(`${photo} is stored twice`)
  }
}

function expectGalleries(owner: OwnerModel, face: KnownFace, galleries: string[]) {
  for (const name of owner.galleries.keys())
    if (!owner.memberOf(face, name).possible().has(galleries.includes(name)))
      throw new Violation(
        `face ${face.id} is ${galleries.includes(name) ? '' : 'not '}in the gallery ${name}`,
      )
}

function expectPerson(owner: OwnerModel, face: KnownFace, { personId }: Row) {
  if (typeof personId !== 'string' && !owner.mayBeOf(face, personId ?? undefined))
    throw new Violation(
      `face ${face.id} has the person ${personId}, not ${[...face.person.possible()].join(' or ')}`,
    )
}

/** Equal faces have one person, and different ones have different persons. */
function expectOnePersonEach(owner: OwnerModel, rows: readonly Row[]) {
  const persons = new Map<number, Set<unknown>>()
  for (const { id, personId } of rows) {
    const colour = owner.faces.get(id)?.colour ?? -1
    if (colour >= 0 && personId !== null)
      persons.set(colour, (persons.get(colour) ?? new Set()).add(personId))
  }
  const all = [...persons.values()].flatMap(found => [...found])
  for (const [colour, found] of persons)
    if (found.size > 1)
      throw new Violation(`one real person (${colour}) has the persons ${[...found].join(', ')}`)
  if (new Set(all).size < all.length) throw new Violation('two real people have one person')
}

/** Counts of answers equal a recount, and persons of faces exist. */
async function expectCounts(core: Core, owner: OwnerModel, rows: readonly Row[]) {
  const { galleries } = await core.request('galleries.statistics', { owner: owner.id })
  for (const { name, faces, vectors } of galleries) {
    const recount = rows.filter(row => name === 'default' || row.galleries.includes(name)).length
    if (faces !== recount || vectors !== recount)
      throw new Violation(
        `the gallery ${name} has ${recount} faces, and its counts are ${faces} and ${vectors}`,
      )
  }
  const { persons } = await core.request('persons.summaries', { owner: owner.id, limit: 1_000 })
  for (const { id, count } of persons) {
    const recount = rows.filter(row => row.personId === id).length
    if (count !== recount)
      throw new Violation(`the person ${id} has ${recount} faces, and its count is ${count}`)
  }
  const known = new Set(persons.map(({ id }) => id))
  const orphan = rows.find(({ personId }) => typeof personId === 'number' && !known.has(personId))
  if (orphan) throw new Violation(`the person ${orphan.personId} of face ${orphan.id} does not exist`)
  if (!owner.namesPersons) return
  for (const [id, register] of owner.persons)
    if (!register.possible().has(known.has(id)))
      throw new Violation(`the person ${id} of ${owner.id} ${known.has(id) ? 'exists' : 'is lost'}`)
}

/** Each change has its entries, and each known face that is gone is in one: a restore repeats deletions from them. */
async function expectAudit(database: Database, owners: readonly OwnerModel[], left: ReadonlySet<number>) {
  const { fault } = await verifyAudit(database)
  if (fault !== undefined) throw new Violation(`the audit log is broken: ${fault}`)
  const entries = await nextEntries(database, -1, 100_000)
  const recorded = new Set(
    entries.flatMap(({ action, subject }) =>
      /^(face|faces|person)\.delete/.test(action) ? idsIn(subject) : [],
    ),
  )
  for (const { id, begun, acknowledged, faces } of owners) {
    for (const face of faces.keys())
      if (!left.has(face) && !recorded.has(face))
        throw new Violation(`the deletion of face ${face} is not recorded`)
    for (const [action, most] of begun) {
      const isOfRequest = (entry: (typeof entries)[number]) => entry.owner === id && entry.actor !== 'service'
      const found = entries.filter(entry => isOfRequest(entry) && entry.action === action).length
      const least = acknowledged.get(action) ?? 0
      if (found < least || found > most)
        throw new Violation(`the audit log has ${found} of ${least} to ${most} entries of ${action}`)
    }
  }
}

function idsIn(subject: string): number[] {
  const { face, faces = [face] } = JSON.parse(subject)
  return faces
}

/** No intent is left, every face has its vectors and pictures, and nothing else is stored. Checksums hold. */
async function expectStores(scheduler: Scheduler, cluster: Cluster, core: Core, rows: readonly Row[]) {
  const { services } = core
  const { database, vectors, pictures } = services
  const intents = await nextIntents(database, 0, { before: Number.MAX_SAFE_INTEGER }, 10)
  if (intents.length > 0) throw new Violation(`${intents.length} intents stay`)
  const [change] = await abandonedChanges(database, undefined)
  if (change) throw new Violation(`the change of the person ${change.person} does not end`)
  const [marked] = await deletedGalleries(database)
  if (marked) throw new Violation(`the deletion of the gallery ${marked.name} does not end`)
  for await (const missing of findMissing(services))
    for (const { id } of [...missing.vectors, ...missing.pictures])
      throw new Violation(`face ${id} lacks a vector or a picture`)
  const wanted = new Set(
    rows.flatMap(({ id, owner, galleries }) =>
      ['default', ...galleries].map(name => `${owner}_${name}/${id}`),
    ),
  )
  for await (const { gallery, id } of vectors.keys())
    if (!wanted.has(`${gallery}/${id}`)) throw new Violation(`the vector ${gallery}/${id} is of no face`)
  await scheduler.step('verify', async () => {
    for await (const { id } of pictures.list())
      if (!rows.some(row => row.id === id)) throw new Violation(`a picture of the face ${id} is left`)
    const { data, database: shared } = cluster.disk
    const faults = shared ? metadataFaults(join(data, SHARED)) : await verifyAll(data, services)
    if (faults.length > 0) throw new Violation(faults.join(' '))
  })
}

/** Throws Violation for a message that is missing, foreign, late or sent for two events. */
async function expectRules(owner: OwnerModel, database: Database, received: readonly Received[]) {
  for (const rule of owner.rules) {
    const messages = received.filter(({ url }) => url === rule.url)
    const byFace = Map.groupBy(messages, ({ message }) => message.data.face?.id ?? -1)
    for (const [face, list] of byFace)
      if (new Set(list.map(({ id }) => id)).size > 1 + (owner.faces.get(face)?.updates ?? 0))
        throw new Violation(`rule ${rule.url} tells face ${face} twice`)
    for (const { message } of messages)
      if (!owner.requests.has(message.data.face?.photo ?? ''))
        throw new Violation(`${rule.url} gets a foreign face`)
    if (!owner.namesPersons) expectOrder(owner, rule, messages)
    if (rule.mayGoSince === undefined) await expectAll(owner, rule, database, byFace)
  }
}

/** Messages about one person come in the order of their events. */
function expectOrder(owner: OwnerModel, rule: KnownRule, messages: readonly Received[]) {
  const accepted = new Set<string>()
  const last = new Map<number, number>()
  for (const { id, message, isAccepted } of messages) {
    const colour = owner.faces.get(message.data.face?.id ?? -1)?.colour ?? -1
    if (colour < 0 || message.data.face?.person_id === undefined || accepted.has(id)) continue
    const number = Number(id.slice(4))
    if ((last.get(colour) ?? 0) > number) throw new Violation(`${rule.url}: ${id} comes late`)
    if (!isAccepted) continue
    accepted.add(id)
    last.set(colour, number)
  }
}

/** Faces that were enrolled after the rule was acknowledged have a message each, earlier ones have none. */
async function expectAll(
  owner: OwnerModel,
  rule: KnownRule,
  database: Database,
  byFace: ReadonlyMap<number, Received[]>,
) {
  const { rows } = await database.run(
    `SELECT face FROM deliveries WHERE alert = '${rule.id}' AND state = 'failed'`,
  )
  const failed = new Set(rows.map(row => Number(row.face)))
  for (const { id, request, updates, camera, mayGoSince } of owner.faces.values()) {
    const isTold = byFace.has(id)
    if (isTold && updates === 0 && (camera === undefined || request.end < rule.start))
      throw new Violation(`${rule.url} gets face ${id} from before the rule`)
    const isDue = rule.isOfAll && camera !== undefined && request.start > rule.end && mayGoSince === undefined
    if (isDue && !failed.has(id) && !byFace.get(id)?.some(({ isAccepted }) => isAccepted))
      throw new Violation(`${rule.url} has no message about face ${id}`)
  }
}

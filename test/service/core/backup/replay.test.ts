/** Replay of deletions: a restore repeats deletions from the audit log of the lost service. */

import { existsSync } from 'node:fs'
import { appendFile, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { STORE_LIMITS } from '#contract/limits/store.ts'
import { restore } from '#core/backup/restore.ts'
import { verifyAll } from '#core/backup/verify.ts'
import { allOwners, markOwnerDeleted } from '#core/metadata/access/owners.ts'
import { addPasskey, insertSession, insertUser, usersOf } from '#core/metadata/access/users.ts'
import { insertSubscription } from '#core/metadata/alerts/notifications.ts'
import { alertById } from '#core/metadata/alerts/rules.ts'
import { auditEntries, insertEntries } from '#core/metadata/audit-log/entries.ts'
import { exportAudit, readAuditFile } from '#core/metadata/audit-log/file.ts'
import { verifyAudit } from '#core/metadata/audit-log/verification.ts'
import { endPersonChange } from '#core/metadata/persons/person-changes.ts'
import { nextPersons } from '#core/metadata/persons/persons.ts'
import { faces } from '#core/metadata/schema.ts'
import { AuditLogUnavailable } from '#core/operations/audit-log/audit-log.ts'
import { deleteFace, deletePerson } from '#core/operations/consistency/deletions.ts'
import { reconcile } from '#core/operations/consistency/reconcile.ts'
import { evidenceHandlers } from '#core/operations/events/evidence-export.ts'
import { deleteExpiredFaces } from '#core/operations/service/retention.ts'
import { openStores } from '#core/stores.ts'
import { faceOf, OTHER_OWNER, OWNER, TOKEN } from '#test/support/sample-faces.ts'
import { times } from '#test/support/times.ts'
import { temporaryFolder } from '#test/unit/core/folder.ts'
import { openRoutes } from '../http/asked.ts'
import { createRule } from '../operations/alerts/shared.ts'
import { interruptedChange } from '../operations/persons/crowd.ts'
import { enrolOne, expectKept, openWorld, reconcileNow, type World } from '../operations/world.ts'
import { killedIn } from './repository/backups.ts'
import { makeWholeBackup } from './whole-backup.ts'

let folder = ''
let world: World
/** Owners of the restored folder. */
let owners: string[] = []
beforeEach(async () => {
  folder = await temporaryFolder()
  world = await openWorld()
})

const at = (name: string) => join(folder, name)
const by = { owner: OWNER, by: TOKEN }

/** Calls core as the edge does, which writes the audit log. */
const ask: Awaited<ReturnType<typeof openRoutes>>['ask'] = async (verb, request, blobs) =>
  (await openRoutes(world)).ask(verb, request, blobs)

const backedUp = () => makeWholeBackup(world.data, at('backup'))

/** Restores with a log of deletions, the exported one by default, and opens the folder. */
async function restoredBy(log = at('log')) {
  await exportAudit(world.database, at('log'))
  const data = join(await mkdtemp(at('data-')), 'data')
  await restore({ source: at('backup'), data, deletions: log })
  // The world below adds the owners of tests.
  const stores = await openStores(data)
  await reconcile(stores)
  owners = (await allOwners(stores.database)).map(({ id }) => id)
  await stores.close()
  return openWorld(data)
}

const enrolled = (colour: number, more: object = {}) => enrolOne(world, faceOf(colour, 10, 10), more)

/** Enrols a face of each of these people. */
async function enrolledPeople(...names: string[]) {
  const ids = []
  for (const personName of names) {
    const id = await enrolled(ids.length + 1)
    await ask('face.update', { ...by, id, personName })
    ids.push(id)
  }
  return ids
}

const peopleIn = ({ database }: World) => nextPersons(database, OWNER, { above: -1, limit: 10 })

async function enrolledAs(personId: number) {
  const id = await enrolled(9)
  await ask('face.update', { ...by, id, personId })
  return id
}

describe('restore with a log of deletions', { tags: 'long' }, () => {
  it('omits faces that were deleted by id, meta, person or gallery', async () => {
    for (const gallery of ['staff', 'guests']) await ask('gallery.create', { ...by, gallery })
    const stays = await enrolled(1)
    const one = await enrolled(2)
    await enrolled(3, { meta: 'ann' })
    const ofPerson = await enrolled(4)
    await ask('face.update', { ...by, id: ofPerson, personId: 7 })
    await enrolled(5, { galleries: ['staff'] })
    const both = await enrolled(6, { galleries: ['staff', 'guests'] })
    await backedUp()
    await ask('face.delete', { ...by, id: one })
    await ask('faces.delete-with-meta', { ...by, meta: 'ann' })
    await ask('person.delete', { ...by, id: 7 })
    await ask('face.update', { ...by, id: both, galleries: { kind: 'del', names: ['staff'] } })
    await ask('gallery.delete', { ...by, gallery: 'staff' })
    await enrolled(8)
    // The log may be an export, or the metadata or the folder of the lost service.
    for (const log of [at('log'), join(world.data, 'metadata.db'), world.data]) {
      const again = await restoredBy(log)
      await expectKept(again, { id: stays }, { id: both, galleries: ['guests'] })
      const reader = await openRoutes(again)
      expect(await reader.ask('galleries.list', { owner: OWNER })).toEqual({
        galleries: ['default', 'guests'],
      })
      expect(await verifyAudit(again.database)).not.toHaveProperty('fault')
    }
  })

  it.each(['owner.delete', 'owner.gone'])(
    'omits an owner whose deletion is logged as %s, and faces that retention deleted with their persons',
    async action => {
      await enrolled(1, { owner: OTHER_OWNER })
      const old = await enrolled(2)
      await ask('face.update', { ...by, id: old, personId: 9 })
      await ask('gallery.update', { ...by, gallery: 'default', retentionDays: 1 })
      await backedUp()
      await deleteExpiredFaces({ ...world, now: () => Date.now() + 3 * 86_400_000 })
      const name = (await allOwners(world.database)).find(({ id }) => id === OTHER_OWNER)!.name
      await markOwnerDeleted(world.database, name)
      await insertEntries(world.database, [{ actor: 'operator x', action, owner: OTHER_OWNER }])
      const again = await restoredBy()
      await expectKept(again)
      expect((await again.database.run('SELECT * FROM persons')).rows).toHaveLength(0)
      expect(owners).toEqual([OWNER])
    },
  )

  it('omits persons that were merged into a person who was deleted', async () => {
    const ids = [await enrolled(1), await enrolled(2), await enrolled(3)]
    for (const [i, id] of ids.entries()) await ask('face.update', { ...by, id, personId: i + 1, meta: 'ann' })
    await backedUp()
    await ask('person.split', { ...by, id: 3, faces: [await enrolledAs(3)] })
    await ask('person.merge', { ...by, id: 4, persons: [1] })
    await ask('person.merge', { ...by, id: 2, persons: [3] })
    await ask('person.delete', { ...by, id: 4 })
    const again = await restoredBy()
    expect(await peopleIn(again)).toMatchObject([{ id: 2 }])
    await expectKept(again, { id: ids[1]! }, { id: ids[2]! })
  })

  it('leaves faces that left a person out of its merge and its deletion, and names the others', async () => {
    const ids = await enrolledPeople('Ann', 'Ann', 'Bob')
    await backedUp()
    await ask('person.merge', { ...by, id: 1, persons: [2] })
    await ask('person.split', { ...by, id: 1, faces: [ids[2]!], former: 2 })
    await ask('face.update', { ...by, id: ids[1]!, personId: 2 })
    await ask('person.delete', { ...by, id: 1 })
    const again = await restoredBy()
    expect(await peopleIn(again)).toMatchObject([{ id: 2, meta: 'Bob' }])
    expect(await again.database.select().from(faces)).toMatchObject([
      { id: ids[1], personId: null, confirmed: false, meta: '' },
      { id: ids[2], personId: 2, meta: 'Bob' },
    ])
  })

  it('completes a merge that was in progress before it repeats the split that took it back', async () => {
    const ids = await enrolledPeople('Ann', 'Bob')
    await interruptedChange(world, 1, { kind: 'merge', others: [2] })
    await backedUp()
    await endPersonChange(world.database, { owner: OWNER, operation: '1' })
    await ask('person.merge', { ...by, id: 1, persons: [2] })
    await ask('person.split', { ...by, id: 1, faces: [ids[1]!], former: 2 })
    const again = await restoredBy()
    expect(await peopleIn(again)).toMatchObject([
      { id: 1, meta: 'Ann' },
      { id: 2, meta: 'Bob' },
    ])
    const { rows } = await again.database.run(`SELECT * FROM audit WHERE actor = 'service'`)
    expect(rows).toMatchObject([{ action: 'person.merge' }])
  })

  const record = () => Promise.reject(new AuditLogUnavailable(undefined))

  it('omits a person whose deletion was interrupted before its entry, but not the person of a face', async () => {
    const ids = await enrolledPeople('Ann', 'Bob')
    await backedUp()
    await expect(deletePerson(world, { owner: OWNER, id: 1 }, { record })).toBeRefused('SERVICE_UNAVAILABLE')
    await expect(deleteFace(world, { ...by, id: ids[1]! }, { record })).toBeRefused('SERVICE_UNAVAILABLE')
    await reconcileNow(world)
    const again = await restoredBy()
    expect(await peopleIn(again)).toMatchObject([{ id: 2, meta: 'Bob' }])
    await expectKept(again)
  })

  it('omits a person without faces whose deletion was interrupted before its entry', async () => {
    const [id] = await enrolledPeople('Ann')
    await ask('face.delete', { ...by, id: id! })
    await backedUp()
    await expect(deletePerson(world, { owner: OWNER, id: 1 }, { record })).toBeRefused('SERVICE_UNAVAILABLE')
    await reconcile(world)
    expect(await peopleIn(await restoredBy())).toEqual([])
  })

  it('signs with no secret that was replaced', async () => {
    const { id, secret } = await createRule(world)
    await backedUp()
    await ask('alert.secret', { ...by, id })
    const again = await alertById((await restoredBy()).database, OWNER, id)
    expect(again?.secrets).toEqual([{ secret: expect.stringMatching(/^whsec_/), ends: null }])
    expect(again!.secrets[0]!.secret).not.toBe(secret)
  })

  it('omits a deleted alert rule, an unsubscribed browser, and the browser of an ended session', async () => {
    const { database } = world
    const rule = await createRule(world)
    await createRule(world)
    const user = { id: 'cccccccccccc', owner: OWNER, name: 'Ann Lee', role: 'look', created: 0 } as const
    await insertUser(database, user)
    const [ended, open] = ['aaaaaaaaaaaa', 'bbbbbbbbbbbb']
    const stored = { ...user, link: null, linkExpires: null, linkOpens: false, subject: null }
    for (const id of [ended, open])
      await insertSession(database, stored, { id, hash: id, created: 0, expires: 1e16 }, 2)
    const browsers = ['1', '2', '3'].map(digit => digit.repeat(32))
    for (const [i, token] of [ended, open, open].entries())
      await insertSubscription(
        database,
        {
          id: browsers[i]!,
          owner: OWNER,
          user: user.id,
          token,
          endpoint: '',
          p256dh: '',
          auth: '',
          created: 0,
        },
        { owner: 9, bearer: 9 },
      )
    await backedUp()
    await ask('alert.delete', { ...by, id: rule.id })
    await ask('session.end', { ...by, id: ended })
    await ask('notifications.unsubscribe', { owner: OWNER, by: open, id: browsers[1]! })
    const left = async ({ database }: World) => ({
      rules: (await database.run('SELECT * FROM alerts')).rows,
      browsers: (await database.run('SELECT * FROM push_subscriptions')).rows,
    })
    const expected = await left(world)
    expect(expected).toMatchObject({ rules: [{}], browsers: [{ id: browsers[2] }] })
    expect(await left(await restoredBy())).toEqual(expected)
  })

  it('omits the private key of evidence that a later one replaced', async () => {
    const { keys } = await ask('evidence.keys', { owner: OWNER })
    await backedUp()
    await markOwnerDeleted(world.database, 'second')
    await ask('evidence.key', by)
    const back = await evidenceHandlers['evidence.keys'](await restoredBy())
    expect(back.keys.map(({ signs }) => signs)).toEqual([true, false])
    expect(back.keys[1]).toEqual({ ...keys[0], signs: false })
    // The number 2 is of the lost key.
    expect(back.keys.map(({ id }) => id)).toEqual([3, 1])
  })

  it('omits a removed passkey, and all passkeys and sessions of a lost device', async () => {
    const { database } = world
    for (const [id, name] of [
      ['aaaaaaaaaaaa', 'Ann'],
      ['bbbbbbbbbbbb', 'Ben'],
    ] as const) {
      const user = { id, owner: OWNER, name, role: 'look', created: 0, link: id, linkExpires: 9 } as const
      await insertUser(database, user)
      const passkey = { name: '', domain: '', publicKey: '', counter: 0, created: 1, challenged: 0 }
      await addPasskey(database, id, { id: name, ...passkey })
      const stored = { ...user, linkOpens: false, subject: null }
      await insertSession(database, stored, { id, hash: id, created: 0, expires: 9e15 }, 2)
    }
    await backedUp()
    await ask('passkey.delete', { ...by, id: 'Ann' })
    const lost = { name: 'Ben', role: 'look', again: true, lost: true, link: 'ab'.repeat(32) } as const
    await ask('user.invite', { ...by, ...lost })
    expect(await usersOf((await restoredBy()).database, OWNER, 0)).toMatchObject([
      { name: 'Ann', passkeys: [], sessions: [] },
      { name: 'Ben', passkeys: [], sessions: [] },
    ])
  })

  it('omits every face of a deletion that needs several log entries', async () => {
    const count = STORE_LIMITS.auditIds + 5
    const rows = times(count, i => `(${i + 1},'${OWNER}',0,'','',0,0,1,1,'many')`)
    await world.database.run(
      `INSERT INTO faces (id,owner,timestamp,photo,photo_hash,x1,y1,x2,y2,meta) VALUES ${rows.join()}`,
    )
    await backedUp()
    await ask('faces.delete-with-meta', { ...by, meta: 'many' })
    const ids: number[] = []
    for await (const { action, subject } of auditEntries(world.database))
      if (action === 'faces.delete-with-meta') ids.push(...JSON.parse(subject).faces)
    expect(new Set(ids).size).toBe(count)
    const again = await restoredBy()
    expect(await again.database.$count(faces)).toBe(0)
  })

  it('leaves a whole folder or none at every step, and can be repeated after a kill', async () => {
    const stays = await enrolled(1)
    const gone = await enrolled(2)
    await backedUp()
    await ask('face.delete', { ...by, id: gone })
    await exportAudit(world.database, at('log'))
    await killedIn('restore', at('data'), 'rename', at('backup'), at('log'))
    expect(existsSync(at('data'))).toBe(false)
    expect(existsSync(at('data.restoring'))).toBe(true)
    await (await openWorld(at('beside'))).close()
    expect(existsSync(at('data.restoring')), 'after a start of a neighbour').toBe(false)
    const steps: string[] = []
    const onStep = (step: string) => {
      steps.push(step)
      expect(existsSync(at('data')), step).toBe(step === 'done')
    }
    await restore({
      source: at('backup'),
      data: at('data'),
      deletions: at('log'),
      onStep,
    })
    expect(steps).toEqual(['checksums', 'copy', 'deletions', 'rename', 'done'])
    const again = await openWorld(at('data'))
    await reconcile(again)
    await expectKept(again, { id: stays })
    expect(await verifyAll(again.data, again)).toEqual([])
  })
})

describe('restore with an invalid log', () => {
  const refusal = (text: string) => ({ name: 'AuditLogRefused', message: expect.stringContaining(text) })
  const restored = (log = at('log')) => restore({ source: at('backup'), data: at('data'), deletions: log })

  beforeEach(async () => {
    await ask('gallery.create', { ...by, gallery: 'one' })
    await backedUp()
    await ask('gallery.create', { ...by, gallery: 'two' })
    await exportAudit(world.database, at('log'))
  })

  it('refuses a log with a changed byte', { tags: 'long' }, async () => {
    const whole = await readFile(at('log'))
    for (let i = 0; i < 8; i++) {
      const damaged = Buffer.from(whole)
      damaged[Math.floor((i * whole.length) / 8)]! ^= 1
      await writeFile(at('log'), damaged)
      await expect(restored(), String(i)).rejects.toMatchObject({ name: 'AuditLogRefused' })
      await rm(at('data'), { force: true, recursive: true })
    }
  })

  it('refuses a log of another installation, a log older than the backup, and a log that begins after the backup', async () => {
    const other = await openWorld()
    await insertEntries(other.database, [{ actor: 'a', action: 'b' }])
    await exportAudit(other.database, at('other'))
    await expect(restored(at('other'))).rejects.toMatchObject(refusal('another data folder'))
    const [header] = (await readFile(at('log'), 'utf8')).split('\n')
    await writeFile(at('older'), `${header}\n`)
    await expect(restored(at('older'))).rejects.toMatchObject(refusal('older than the backup'))
    const [, first, second] = (await readFile(at('log'), 'utf8')).split('\n') as [string, string, string]
    const { seq, hash } = JSON.parse(second)
    expect(JSON.parse(first)).toMatchObject({ seq: 1 })
    await writeFile(
      at('later'),
      `${JSON.stringify({ format: 'mien-audit-log', version: 1, after: { seq, hash } })}\n`,
    )
    await expect(restored(at('later'))).rejects.toMatchObject(refusal('are missing'))
  })
})

it('exportAudit appends to its file, also after a truncated line, and refuses the file of another installation', async () => {
  await ask('gallery.create', { ...by, gallery: 'one' })
  expect(await exportAudit(world.database, at('log'))).toMatchObject({ added: 1 })
  await appendFile(at('log'), '{"seq":2,"ti')
  await ask('gallery.create', { ...by, gallery: 'two' })
  expect(await exportAudit(world.database, at('log'))).toMatchObject({ added: 1 })
  expect(await exportAudit(world.database, at('log'))).toMatchObject({ added: 0 })
  expect(await readAuditFile(at('log'))).toMatchObject({ entries: 2, head: { seq: 2 } })
  await truncate(at('log'), (await readFile(at('log'))).length - 3)
  expect(await readAuditFile(at('log'))).toMatchObject({ entries: 1 })
  const other = await openWorld()
  await expect(exportAudit(other.database, at('log'))).rejects.toMatchObject({ name: 'AuditLogRefused' })
})

/** The audit log: verification detects tampering, and concurrent writers keep the chain intact. */

import { join } from 'node:path'
import Libsql from 'libsql'
import { type AuditEvent, hashOf } from '#core/metadata/audit-log/chain.ts'
import {
  BACKUP_COMPLETED,
  BACKUP_REQUESTED,
  BACKUP_STARTED,
  backupTimes,
  endNow,
  entriesOf,
  insertEntries,
  nextEntries,
  prune,
} from '#core/metadata/audit-log/entries.ts'
import { verifyAudit } from '#core/metadata/audit-log/verification.ts'
import { closeDatabase, type Database, openDatabase } from '#core/metadata/database.ts'
import { times } from '#test/support/times.ts'
import { temporaryFolder } from '#test/unit/core/folder.ts'

const LENGTH = 10
const DAY_MS = 86_400_000
const BEGAN = Date.UTC(2026, 0, 1)

const happening = (number: number): AuditEvent => ({
  actor: 'token 0123456789ab',
  action: 'face.delete',
  owner: '0123456789abcdef01234567',
  subject: { face: number, faces: [number, 2 * number] },
})

let data = ''
let database: Database

/** Ten entries, one per day. */
beforeEach(async () => {
  data = await temporaryFolder()
  database = await openDatabase(data)
  onTestFinished(() => database.$client.close())
  for (let day = 0; day < LENGTH; day++) await insertEntries(database, [happening(day)], BEGAN + day * DAY_MS)
})

/** Changes the file directly, after removing the triggers that guard it. */
function tamper(...statements: string[]) {
  const file = new Libsql(join(data, 'metadata.db'))
  file.exec('DROP TRIGGER audit_never_changes; DROP TRIGGER audit_is_pruned_only;')
  for (const statement of statements) file.exec(statement)
  file.close()
}

const faultNow = async () => (await verifyAudit(database)).fault

it('the filter by an object finds entries that name it alone, in a list or as the result, and no number of another word', async () => {
  const owner = 'ab'
  const subjects = [
    { person: 7, count: 8 },
    { person: 1, persons: [7] },
    { person: 2, to: 7 },
    { 'not person': 7 },
    { faces: [7] },
  ]
  const [actor, action] = ['service', 'x']
  const begun = subjects.map(subject => ({ actor, action, owner, subject }))
  await insertEntries(database, begun as AuditEvent[], BEGAN + LENGTH * DAY_MS)
  const found = async (object: string) =>
    (await entriesOf(database, { object }, { owner, below: 99, limit: 9 })).map(({ subject }) =>
      JSON.parse(subject),
    )
  expect(await found('person 7')).toEqual(subjects.slice(0, 4).toReversed())
  expect(await found('face 7')).toEqual([{ faces: [7] }])
  expect(await found('person 8')).toEqual([])
})

describe('verifyAudit', () => {
  it('accepts an untouched log and returns its head', async () => {
    const [newest] = await nextEntries(database, LENGTH - 1, 1)
    const { seq, hash } = newest!
    expect(await verifyAudit(database)).toEqual({ entries: LENGTH, head: { seq, hash } })
    expect(await verifyAudit(database, { seq, hash })).toEqual({ entries: LENGTH, head: { seq, hash } })
  })

  it('accepts an empty log', async () => {
    const empty = await openDatabase(await temporaryFolder())
    expect(await verifyAudit(empty)).toMatchObject({ entries: 0, head: { seq: 0 } })
    await closeDatabase(empty)
  })

  it.each([
    'time = time + 1',
    "actor = 'service'",
    'owner = NULL',
    "action = 'enrol'",
    `subject = '{"face":9}'`,
    "subject = subject || ' '",
    "hash = replace(hash, substr(hash, 1, 1), 'x')",
  ])('names an entry that was changed: %s', async change => {
    tamper(`UPDATE audit SET ${change} WHERE seq = 5`)
    expect(await faultNow()).toBe('entry 5 is not as it was written')
  })

  it.each([
    {
      what: 'an entry was deleted',
      statements: ['DELETE FROM audit WHERE seq = 5'],
      says: 'entry 5 is missing',
    },
    {
      what: 'an entry was deleted and the later ones moved up',
      statements: ['DELETE FROM audit WHERE seq = 5', 'UPDATE audit SET seq = seq - 1 WHERE seq > 5'],
      says: 'entry 5 is not as it was written',
    },
    {
      what: 'an entry was inserted',
      statements: [
        'UPDATE audit SET seq = -seq WHERE seq >= 5',
        'UPDATE audit SET seq = 1 - seq WHERE seq < 0',
        'INSERT INTO audit SELECT 5, time, actor, owner, action, subject, hash FROM audit WHERE seq = 4',
      ],
      says: 'entry 5 is not as it was written',
    },
    {
      what: 'the first entries were deleted',
      statements: ['DELETE FROM audit WHERE seq < 4'],
      says: 'entry 1 is missing',
    },
    {
      what: 'the first entries were deleted and recorded as pruned',
      statements: [
        'DELETE FROM audit WHERE seq < 4',
        `INSERT INTO audit SELECT 11, time, actor, owner, 'audit.prune', '{"upTo":3,"hash":"00"}', hash FROM audit WHERE seq = 10`,
      ],
      says: 'entry 4 is not as it was written',
    },
  ])('reports that $what', async ({ statements, says }) => {
    tamper(...statements)
    expect(await faultNow()).toContain(says)
  })

  it('names the entry after one that was changed together with its hash', async () => {
    const [fourth, fifth] = await nextEntries(database, 3, 2)
    const hash = hashOf(fourth!.hash, { ...fifth!, actor: 'service' })
    tamper(`UPDATE audit SET actor = 'service', hash = '${hash}' WHERE seq = 5`)
    expect(await faultNow()).toBe('entry 6 is not as it was written')
  })

  it('detects a truncated or rewritten log only with an external head', async () => {
    const { head } = await verifyAudit(database)
    tamper('DELETE FROM audit WHERE seq > 7')
    expect(await faultNow()).toBeUndefined()
    expect((await verifyAudit(database, head)).fault).toBe('the entries after 7 are gone: 10 was there')
    for (let day = 7; day < LENGTH; day++)
      await insertEntries(database, [happening(day + 1)], BEGAN + day * DAY_MS)
    expect(await faultNow()).toBeUndefined()
    expect((await verifyAudit(database, head)).fault).toBe('entry 10 is not the one that was kept')
  })

  it('finds no fault after SQL changes, because triggers refuse them', async () => {
    const refusing = (statement: string) => expect(database.run(statement), statement).rejects.toThrow()
    await refusing("UPDATE audit SET actor = 'service'")
    await refusing('DELETE FROM audit WHERE seq = 1')
    expect(await faultNow()).toBeUndefined()
  })

  it('accepts a log with a recorded pruning, and detects other gaps', async () => {
    const { head: old } = await verifyAudit(database)
    const [third] = await nextEntries(database, 2, 1)
    expect(await prune(database, BEGAN + 3 * DAY_MS, 'operator test')).toBe(3)
    expect(await prune(database, BEGAN, 'operator test')).toBeUndefined()
    expect(await verifyAudit(database, old)).toMatchObject({ entries: LENGTH - 2, head: { seq: 11 } })
    expect(await verifyAudit(database, { seq: 3, hash: third!.hash })).not.toHaveProperty('fault')
    expect(await verifyAudit(database, { seq: 2, hash: third!.hash })).toMatchObject({
      fault: 'entry 2 was pruned: check against a newer one',
    })
    tamper('DELETE FROM audit WHERE seq = 4')
    expect(await faultNow()).toBe('entry 1 is missing: 5 comes after 0')
  })

  it('accepts a log with concurrent writers', async () => {
    const other = await openDatabase(data)
    onTestFinished(() => other.$client.close())
    const writing = times(16, number =>
      insertEntries(number % 2 === 0 ? database : other, [happening(number), happening(number)]),
    )
    await Promise.all(writing)
    expect(await verifyAudit(database)).toMatchObject({ entries: LENGTH + 32 })
    expect(await faultNow()).toBeUndefined()
  })
})

it('gives a request a later time than the last backup, and a backup the time of its end, after a clock that was ahead', async () => {
  await insertEntries(database, [{ actor: 'operator test', action: BACKUP_STARTED }], Date.now() + DAY_MS)
  await insertEntries(database, [{ actor: 'service', action: BACKUP_REQUESTED }])
  const asked = await backupTimes(database)
  expect(asked.requested).toBeGreaterThan(asked.started!)
  await insertEntries(database, [{ actor: 'operator test', ...endNow(BACKUP_COMPLETED) }])
  const { requested, started, completed } = await backupTimes(database)
  expect(completed).toBeLessThanOrEqual(Date.now() * 1000)
  expect(completed).toBeGreaterThan(requested!)
  expect(requested).toBeGreaterThan(started!)
})

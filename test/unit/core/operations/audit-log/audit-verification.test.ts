/** Verification of the audit log by the API, in steps. */
import { join } from 'node:path'
import Libsql from 'libsql'
import { STORE_LIMITS } from '#contract/limits/store.ts'
import { insertEntries, prune } from '#core/metadata/audit-log/entries.ts'
import { type Database, openDatabase } from '#core/metadata/database.ts'
import { auditVerifier } from '#core/operations/audit-log/audit-verification.ts'
import { temporaryFolder } from '../../folder.ts'

const OWNER = '0123456789abcdef01234567'
const OTHER = 'fedcba9876543210fedcba98'
const BEGAN = Date.UTC(2026, 0, 1)
const DAY_MS = 86_400_000

let data: string
let database: Database
/** Unix milliseconds. */
let clock: number
const now = () => clock

/** Adds entries, one a day. Entries with an even number are of OWNER. */
async function write(count: number) {
  for (let i = 0; i < count; i++, clock += DAY_MS) {
    const owner = i % 2 === 0 ? OWNER : OTHER
    await insertEntries(database, [{ actor: 'operator root', action: 'token.create', owner }], clock)
  }
}

function tamper(statement: string) {
  const file = new Libsql(join(data, 'metadata.db'))
  file.exec(`DROP TRIGGER audit_never_changes; DROP TRIGGER audit_is_pruned_only; ${statement}`)
  file.close()
}

beforeEach(async () => {
  clock = BEGAN
  data = await temporaryFolder()
  database = await openDatabase(data)
  onTestFinished(() => database.$client.close())
})

describe('auditVerifier', () => {
  it('verifies a bounded number of entries with each call', async () => {
    await write(10)
    const verify = auditVerifier({ database, now }, 4)
    for (const verified_to of [4, 8, 10, 10])
      expect(await verify()).toMatchObject({ intact: true, verified_from: 1, verified_to, last: 10 })
    await write(1)
    expect(await verify()).toMatchObject({ verified_to: 11, last: 11 })
  })

  it('names the changed entry, and the end of the intact part', async () => {
    await write(10)
    tamper(`UPDATE audit SET actor = 'service' WHERE seq = 6`)
    const verify = auditVerifier({ database, now }, 4)
    await verify()
    const fault = 'entry 6 is not as it was written'
    for (const _ of ['once', 'and again'])
      expect(await verify()).toMatchObject({ intact: false, fault, verified_to: 5, last: 10 })
  })

  it('continues after a pruning beyond the verified entries', async () => {
    await write(6)
    const verify = auditVerifier({ database, now }, 2)
    await verify()
    await prune(database, BEGAN + 4 * DAY_MS, 'operator root')
    expect(await verify()).toMatchObject({ intact: true, verified_to: 6, last: 7 })
  })

  it('begins again when a complete verification is old, and finds later changes', async () => {
    await write(4)
    clock = BEGAN
    const verify = auditVerifier({ database, now })
    await verify()
    tamper(`UPDATE audit SET actor = 'service' WHERE seq = 2`)
    expect(await verify()).toMatchObject({ intact: true })
    clock += STORE_LIMITS.auditVerifiedMs + 1
    expect(await verify()).toMatchObject({ intact: false, verified_to: 1 })
  })
})

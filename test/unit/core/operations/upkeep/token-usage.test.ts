/** Tokens in use: when they were used last, and how many requests they may make. */
import { beforeEach, describe, expect, it } from 'vitest'
import { DEFAULT_OPTIONS } from '../../../../../core/configuration/options.ts'
import { tokenHash } from '../../../../../core/contract/model/token.ts'
import { closeDatabase, type Database, openDatabase } from '../../../../../core/metadata/database.ts'
import { createToken, listTokens } from '../../../../../core/metadata/issue-tokens.ts'
import { type CallerServices, caller } from '../../../../../core/operations/caller.ts'
import {
  keepTokenUsage,
  tokenUsage,
  writeTokenUsage,
} from '../../../../../core/operations/upkeep/token-usage.ts'
import { temporaryFolder } from '../../folder.ts'

let data: string
let database: Database
let services: CallerServices
let now: number

beforeEach(async () => {
  data = await temporaryFolder()
  database = await openDatabase(data)
  now = Date.now()
  const requestsPerSecond = undefined
  services = {
    database,
    options: DEFAULT_OPTIONS,
    tokenUsage: tokenUsage(),
    requestsPerSecond,
    now: () => now,
  }
  return () => closeDatabase(database)
})

const made = async (rate?: number) =>
  (await tokenHash(await createToken({ data, owner: 'acme', name: '', rate })))!

const used = async () => (await listTokens(data)).map(token => token.used)

const failed = (error: unknown) => expect.unreachable(String(error))

describe('the time of last use', () => {
  it('is kept in memory, and written down in one go', async () => {
    const hashes = [await made(), await made()]
    for (const tokenHash of hashes) await caller(services, { tokenHash })
    const first = now
    now += 5_000
    await caller(services, { tokenHash: hashes[1]! })
    expect(await used()).toEqual([null, null])
    await writeTokenUsage(database, services.tokenUsage)
    expect(await used()).toEqual([first * 1000, now * 1000])
  })

  it('is never set back by a service that knows of an earlier one', async () => {
    const tokenHash = await made()
    await caller(services, { tokenHash })
    await writeTokenUsage(database, services.tokenUsage)
    const last = now
    now -= 60_000
    await caller(services, { tokenHash })
    await writeTokenUsage(database, services.tokenUsage)
    expect(await used()).toEqual([last * 1000])
  })

  it('is written when the service stops, and now and then before', async () => {
    const tokenHash = await made()
    const seldom = keepTokenUsage(services, failed)
    await caller(services, { tokenHash })
    expect(await used()).toEqual([null])
    await seldom.stop()
    expect(await used()).toEqual([now * 1000])

    const often = keepTokenUsage(services, failed, 5)
    now += 1_000
    await caller(services, { tokenHash })
    while ((await used())[0] !== now * 1000);
    await often.stop()
  })

  it('is not lost when it can not be written: it is for the next time', async () => {
    await caller(services, { tokenHash: await made() })
    const broken = await openDatabase(await temporaryFolder())
    await closeDatabase(broken)
    await expect(writeTokenUsage(broken, services.tokenUsage)).rejects.toThrow()
    await writeTokenUsage(database, services.tokenUsage)
    expect(await used()).toEqual([now * 1000])
  })
})

describe('a token with a rate', () => {
  it('is asked about with each request, and refused beyond its rate with the time to wait', async () => {
    const tokenHash = await made(2)
    for (let i = 0; i < 2; i++) expect(await caller(services, { tokenHash })).toMatchObject({ trustMs: 0 })
    const refused = { code: 'RATE_LIMITED', detail: { retryAfter: 1 } }
    await expect(caller(services, { tokenHash })).rejects.toMatchObject(refused)
    now += 1_000
    expect(await caller(services, { tokenHash })).toMatchObject({ trustMs: 0 })
  })

  it('has its own, another one its own, and the rest what the service says', async () => {
    const service = { ...services, requestsPerSecond: 1 }
    const [rated, plain, other] = [await made(3), await made(), await made()]
    const allowed = async (tokenHash: string) => {
      for (let i = 0; ; i++) {
        const isIn = await caller(service, { tokenHash }).then(
          () => true,
          () => false,
        )
        if (!isIn) return i
      }
    }
    expect([await allowed(rated), await allowed(plain), await allowed(other)]).toEqual([3, 1, 1])
  })

  it('has no bound where neither says one', async () => {
    const tokenHash = await made()
    for (let i = 0; i < 200; i++) await caller(services, { tokenHash })
    expect((await caller(services, { tokenHash })).trustMs).toBeGreaterThan(0)
  })
})

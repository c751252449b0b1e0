/** Use of tokens: the time of last use, and rate limits. */
import { beforeEach, describe, expect, it } from 'vitest'
import { tokenHash } from '#contract/model/token.ts'
import { DEFAULT_OPTIONS } from '#core/configuration/options.ts'
import { closeDatabase, type Database, openDatabase } from '#core/metadata/database.ts'
import { createToken, listTokens } from '#core/metadata/issue-tokens.ts'
import { type CallerServices, caller } from '#core/operations/caller.ts'
import { keepTokenUsage, tokenUsage, writeTokenUsage } from '#core/operations/upkeep/token-usage.ts'
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

const newTokenHash = async (rate?: number) =>
  (await tokenHash(await createToken({ data, owner: 'acme', name: '', rate })))!

const lastUses = async () => (await listTokens(data)).map(token => token.used)

const failed = (error: unknown) => expect.unreachable(String(error))

describe('tokenUsage', () => {
  it('keeps times of last use in memory until writeTokenUsage', async () => {
    const hashes = [await newTokenHash(), await newTokenHash()]
    for (const tokenHash of hashes) await caller(services, { tokenHash })
    const first = now
    now += 5_000
    await caller(services, { tokenHash: hashes[1]! })
    expect(await lastUses()).toEqual([null, null])
    await writeTokenUsage(database, services.tokenUsage)
    expect(await lastUses()).toEqual([first * 1000, now * 1000])
  })

  it('never sets a time of last use back', async () => {
    const tokenHash = await newTokenHash()
    await caller(services, { tokenHash })
    await writeTokenUsage(database, services.tokenUsage)
    const last = now
    now -= 60_000
    await caller(services, { tokenHash })
    await writeTokenUsage(database, services.tokenUsage)
    expect(await lastUses()).toEqual([last * 1000])
  })

  it('keepTokenUsage writes at intervals and at the stop of the service', async () => {
    const tokenHash = await newTokenHash()
    const seldom = keepTokenUsage(services, failed)
    await caller(services, { tokenHash })
    expect(await lastUses()).toEqual([null])
    await seldom.stop()
    expect(await lastUses()).toEqual([now * 1000])

    const often = keepTokenUsage(services, failed, 5)
    now += 1_000
    await caller(services, { tokenHash })
    while ((await lastUses())[0] !== now * 1000);
    await often.stop()
  })

  it('keeps its times when writing fails, and writes them the next time', async () => {
    await caller(services, { tokenHash: await newTokenHash() })
    const broken = await openDatabase(await temporaryFolder())
    await closeDatabase(broken)
    await expect(writeTokenUsage(broken, services.tokenUsage)).rejects.toThrow()
    await writeTokenUsage(database, services.tokenUsage)
    expect(await lastUses()).toEqual([now * 1000])
  })
})

describe('caller with rate limits', () => {
  it('lets no edge cache a rated token, and refuses it beyond its rate with Retry-After', async () => {
    const tokenHash = await newTokenHash(2)
    for (let i = 0; i < 2; i++) expect(await caller(services, { tokenHash })).toMatchObject({ trustMs: 0 })
    const refused = { code: 'RATE_LIMITED', detail: { retryAfter: 1 } }
    await expect(caller(services, { tokenHash })).rejects.toMatchObject(refused)
    now += 1_000
    expect(await caller(services, { tokenHash })).toMatchObject({ trustMs: 0 })
  })

  it('counts each token separately, with its own rate or that of the service', async () => {
    const service = { ...services, requestsPerSecond: 1 }
    const [rated, plain, other] = [await newTokenHash(3), await newTokenHash(), await newTokenHash()]
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

  it('has no limit when neither the token nor the service has a rate', async () => {
    const tokenHash = await newTokenHash()
    for (let i = 0; i < 200; i++) await caller(services, { tokenHash })
    expect((await caller(services, { tokenHash })).trustMs).toBeGreaterThan(0)
  })
})

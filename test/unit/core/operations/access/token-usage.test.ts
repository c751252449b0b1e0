/** Use of tokens: the time of last use, and rate limits. */
import { tokenHash } from '#contract/model/token.ts'
import { createToken, listTokens } from '#core/metadata/access/issue-tokens.ts'
import { closeDatabase, type Database, openDatabase } from '#core/metadata/database.ts'
import { storeTokenUsageRepeatedly, writeTokenUsage } from '#core/operations/access/token-usage.ts'
import { type CallerServices, caller } from '#core/operations/access/tokens.ts'
import { temporaryFolder } from '../../folder.ts'
import { callerParts } from '../caller-parts.ts'

let data: string
let database: Database
let services: CallerServices
let now: number

beforeEach(async () => {
  data = await temporaryFolder()
  database = await openDatabase(data)
  now = Date.now()
  services = callerParts(database, () => now)
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

  it('storeTokenUsageRepeatedly writes at intervals and at the stop of the service', async () => {
    const tokenHash = await newTokenHash()
    const seldom = storeTokenUsageRepeatedly(services, failed)
    await caller(services, { tokenHash })
    expect(await lastUses()).toEqual([null])
    await seldom.stop()
    expect(await lastUses()).toEqual([now * 1000])

    const often = storeTokenUsageRepeatedly(services, failed, 5)
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

it('caller with rate limits counts each token separately, with its own rate or the rate of the service', async () => {
  const service = { ...services, requestsPerSecond: 1 }
  const [rated, plain, other] = [await newTokenHash(3), await newTokenHash(), await newTokenHash()]
  const allowed = async (tokenHash: string) => {
    for (let i = 0; ; i++) {
      const isIn = await caller(service, { tokenHash }).catch(() => undefined)
      if (!isIn) return i
    }
  }
  expect([await allowed(rated), await allowed(plain), await allowed(other)]).toEqual([3, 1, 1])
})

/** Authentication at the edge: caching and limits of lookups, with core's real answers and a simulated clock. */

import { TOKEN_LIMITS } from '#contract/limits/tokens.ts'
import { newToken } from '#contract/model/token.ts'
import type { RpcRequest } from '#contract/operations/messages.ts'
import { createToken, listTokens, revokeToken } from '#core/metadata/access/issue-tokens.ts'
import { openDatabase } from '#core/metadata/database.ts'
import { caller } from '#core/operations/access/tokens.ts'
import { type Authenticate, authenticator } from '#edge/admission/tokens.ts'
import type { Core } from '#edge/core-client/core-client.ts'
import { parseEnv } from '#edge/env.ts'
import { times } from '#test/support/times.ts'
import { temporaryFolder } from '../../core/folder.ts'
import { callerParts } from '../../core/operations/caller-parts.ts'

const HOUR = 3_600_000
const PER_SECOND = TOKEN_LIMITS.unknownTokensPerSecond

let data: string
let token: string
let later: number
let asked: number
let authenticate: Authenticate
let core: Core

const now = () => Date.now() + later
const enter = (presented = token, network = '') =>
  authenticate({ authorization: `Token ${presented}`, network })
const revoke = async () => revokeToken(data, (await listTokens(data))[0]!.id)
const refused = (code: string) => expect.objectContaining({ code })

beforeEach(async () => {
  data = await temporaryFolder()
  token = await createToken({ data, owner: 'acme', name: '', expires: (Date.now() + HOUR) * 1000 })
  later = 0
  asked = 0
  const database = await openDatabase(data)
  const services = callerParts(database, now)
  core = {
    async call(_: 'caller', request: RpcRequest<'caller'>) {
      asked++
      return { response: await caller(services, request), blobs: [] }
    },
  } as unknown as Core
  authenticate = authenticator({ core, now })
  return () => database.$client.close()
})

describe('authenticator', () => {
  it('looks a token up once per TOKEN_LIMITS.trustedMs', async () => {
    for (let i = 0; i < 5; i++) expect(await enter()).toMatchObject({ scope: 'admin' })
    expect(asked).toBe(1)
    later = TOKEN_LIMITS.trustedMs
    await enter()
    expect(asked).toBe(2)
  })

  it('looks a token up again after the clock was set back', async () => {
    later = HOUR / 2
    await enter()
    await revoke()
    later = 0
    await expect(enter()).rejects.toEqual(refused('AUTH_FAILED'))
  })

  it('refuses a revoked token after TOKEN_LIMITS.trustedMs, which is at most 60 seconds', async () => {
    await enter()
    await revoke()
    later = TOKEN_LIMITS.trustedMs
    await expect(enter()).rejects.toEqual(refused('AUTH_FAILED'))
    expect(TOKEN_LIMITS.trustedMs).toBeLessThanOrEqual(60_000)
    const bindings = { CORE_URL: 'http://core.test', EDGE_SECRET: 'a secret of 32 letters or more ...' }
    expect(parseEnv(bindings).TOKEN_TRUSTED_MS).toBe(TOKEN_LIMITS.trustedMs)
    expect(() => parseEnv({ ...bindings, TOKEN_TRUSTED_MS: '60001' })).toThrow('TOKEN_TRUSTED_MS')
  })

  it('looks each request up with an age of 0, and a refused token still once', async () => {
    authenticate = authenticator({ core, now, trustedMs: 0 })
    for (let i = 0; i < 2; i++) await enter()
    await revoke()
    for (let i = 0; i < 2; i++) await expect(enter()).rejects.toEqual(refused('AUTH_FAILED'))
    expect(asked).toBe(3)
  })

  it('counts the age of a cached answer from the time of the request', async () => {
    const slow = {
      call: (...args: Parameters<Core['call']>) => core.call(...args).finally(() => (later += 15_000)),
    }
    authenticate = authenticator({ core: slow as Core, now })
    await enter()
    later = TOKEN_LIMITS.trustedMs
    await enter()
    expect(asked).toBe(2)
  })

  it('caches no answer beyond the expiry of the token', async () => {
    later = HOUR - 5_000
    await enter()
    later = HOUR
    await expect(enter()).rejects.toEqual(refused('AUTH_FAILED'))
  })

  it('refuses malformed headers and tokens without asking core', async () => {
    for (const header of [
      '',
      'Token garbage',
      `Basic ${token}`,
      `Token ${token} ${token}`,
      `Token mien_${'a'.repeat(46)}`,
    ])
      await expect(authenticate({ authorization: header, network: '' })).rejects.toEqual(
        refused('AUTH_FAILED'),
      )
    expect(asked).toBe(0)
  })

  it('gives one reason for tokens that never existed, were revoked or have expired', async () => {
    const revoked = await createToken({ data, owner: 'acme', name: 'revoked' })
    const { id } = (await listTokens(data)).find(({ name }) => name === 'revoked')!
    await revokeToken(data, id)
    later = HOUR
    const refusals = []
    for (const one of [await newToken(), revoked, token, token])
      refusals.push((await enter(one).catch(error => error)).detail)
    expect(refusals).toEqual(Array(4).fill({ reason: expect.stringMatching(/^The token is unknown, /) }))
    expect(new Set(refusals.map(({ reason }) => reason)).size).toBe(1)
  })

  it.each(['', 'bearer ', ' Token\t'])('accepts the scheme %j', async scheme => {
    expect(await authenticate({ authorization: scheme + token, network: '' })).toMatchObject({
      scope: 'admin',
    })
  })

  it('limits lookups of unknown tokens per second with Retry-After, and never lookups of known tokens', async () => {
    await enter()
    later = TOKEN_LIMITS.trustedMs
    const outcomes: unknown[] = []
    const until = Date.now()
    authenticate = authenticator({ core, now: () => until + later })
    await enter()
    for (let i = 0; i < TOKEN_LIMITS.unknownTokensPerSecond + 5; i++)
      outcomes.push(await enter(await newToken()).catch(error => error))
    expect(outcomes.slice(0, TOKEN_LIMITS.unknownTokensPerSecond)).toEqual(
      Array(TOKEN_LIMITS.unknownTokensPerSecond).fill(refused('AUTH_FAILED')),
    )
    expect(outcomes.slice(TOKEN_LIMITS.unknownTokensPerSecond)).toEqual(
      Array(5).fill(expect.objectContaining({ code: 'RATE_LIMITED', detail: { retryAfter: 1 } })),
    )
    await expect(enter(await newToken(), 'another network')).rejects.toEqual(refused('AUTH_FAILED'))
    later += TOKEN_LIMITS.trustedMs
    expect(await enter()).toMatchObject({ scope: 'admin' })
    await expect(enter(await newToken())).rejects.toEqual(refused('AUTH_FAILED'))
  })

  it('charges a network for lookups at once, and no site of IPv6 uses up the lookups of all', async () => {
    const flood = await Promise.all(times(3 * PER_SECOND, newToken))
    const all = Promise.withResolvers<void>()
    let arrived = 0
    const slow = {
      async call(...args: Parameters<Core['call']>) {
        if (++arrived === flood.length) all.resolve()
        await all.promise
        return core.call(...args)
      },
    }
    const began = Date.now()
    authenticate = authenticator({ core: slow as Core, now: () => began + later })
    await Promise.all(flood.map(one => enter(one, '2001:db8:1:1').catch(() => {})))
    await expect(enter(await newToken(), '2001:db8:1:2')).rejects.toEqual(refused('RATE_LIMITED'))
    await expect(enter(await newToken(), '2001:db8:2:1')).rejects.toEqual(refused('AUTH_FAILED'))
    for (let i = 0; i < 2; i++) {
      later += 1_000
      await expect(enter(await newToken(), '2001:db8:1:1')).rejects.toEqual(refused('RATE_LIMITED'))
    }
    later += 1_000
    await expect(enter(await newToken(), '2001:db8:1:1')).rejects.toEqual(refused('AUTH_FAILED'))
  })
})

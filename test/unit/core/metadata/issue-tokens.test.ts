/** Tokens: made, listed, replaced, revoked, and what is kept of them. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { LIMITS } from '../../../../core/contract/limits.ts'
import { tokenHash } from '../../../../core/contract/model/token.ts'
import { openDatabase } from '../../../../core/metadata/database.ts'
import {
  createToken,
  listTokens,
  revokeToken,
  rotateToken,
  tokenIsValid,
} from '../../../../core/metadata/issue-tokens.ts'
import { caller } from '../../../../core/operations/caller.ts'
import { temporaryFolder } from '../folder.ts'
import { callerParts } from '../operations/caller-parts.ts'

const HOUR = 3_600_000

/** Core's word on a token, `later` milliseconds from now; each question sees what was written before. */
async function verdict(data: string, token: string, later = 0) {
  const database = await openDatabase(data)
  const services = callerParts(database, () => Date.now() + later)
  try {
    return await caller(services, { tokenHash: (await tokenHash(token))! })
  } finally {
    database.$client.close()
  }
}

const refused = { code: 'AUTH_FAILED' }

describe('a token', () => {
  it('opens the service to its owner until it is revoked', async () => {
    const data = await temporaryFolder()
    const token = await createToken({ data, owner: 'acme', name: 'first' })
    expect(await tokenIsValid({ data, token })).toBe(true)
    const [listed] = await listTokens(data)
    expect(listed).toMatchObject({ owner: 'acme', name: 'first', scope: 'admin', revoked: null, used: null })
    expect(await revokeToken(data, listed!.id)).toBe(true)
    expect(await tokenIsValid({ data, token })).toBe(false)
    expect(await revokeToken(data, listed!.id)).toBe(false)
    expect(await revokeToken(data, 'nothing')).toBe(false)
  })

  it('belongs to the owner of that name, who is made once', async () => {
    const data = await temporaryFolder()
    const tokens = await Promise.all(
      ['acme', 'other', 'acme'].map(owner => createToken({ data, owner, name: '' })),
    )
    const owners: string[] = []
    for (const token of tokens) owners.push((await verdict(data, token)).owner)
    expect(owners[0]).toEqual(owners[2])
    expect(owners[0]).not.toEqual(owners[1])
    expect(owners[0]).toMatch(/^[0-9a-f]{24}$/)
  })

  it('is accepted at once by a database that was open before it was made', async () => {
    const data = await temporaryFolder()
    const database = await openDatabase(data)
    const services = callerParts(database, Date.now)
    const hash = (await tokenHash(await createToken({ data, owner: 'acme', name: '' })))!
    const [{ id } = { id: '' }] = await listTokens(data)
    expect(await caller(services, { tokenHash: hash })).toMatchObject({
      owner: expect.any(String),
      token: id,
      scope: 'admin',
      trustMs: LIMITS.tokenTrustedMs,
    })
    await expect(caller(services, { tokenHash: '0'.repeat(64) })).rejects.toMatchObject(refused)
    database.$client.close()
  })

  it('is kept as a hash only', async () => {
    const data = await temporaryFolder()
    const token = await createToken({ data, owner: 'acme', name: 'first' })
    const file = await readFile(join(data, 'metadata.db'))
    expect(file.includes(token)).toBe(false)
    expect(file.includes(token.slice(5, 25))).toBe(false)
    expect(file.includes((await tokenHash(token))!)).toBe(true)
  })

  it.each(['', 'nonsense', `mien_${'a'.repeat(46)}`])(
    'of the wrong shape is never valid: "%s"',
    async token => {
      expect(await tokenIsValid({ data: await temporaryFolder(), token })).toBe(false)
    },
  )

  it('ends when it was told to, and no verdict on it is believed for longer', async () => {
    const data = await temporaryFolder()
    const expires = (Date.now() + HOUR) * 1000
    const token = await createToken({ data, owner: 'acme', name: '', expires })
    expect(await verdict(data, token)).toMatchObject({ trustMs: LIMITS.tokenTrustedMs })
    const { trustMs } = await verdict(data, token, HOUR - 5_000)
    expect(trustMs).toBeGreaterThanOrEqual(0)
    expect(trustMs).toBeLessThanOrEqual(5_000)
    await expect(verdict(data, token, HOUR)).rejects.toMatchObject(refused)
  })
})

describe('a token that another takes the place of', () => {
  it('goes on for the grace time, and the new one is like it', async () => {
    const data = await temporaryFolder()
    const expires = (Date.now() + 90 * HOUR) * 1000
    const old = await createToken({ data, owner: 'acme', name: 'door', scope: 'camera', rate: 2, expires })
    const [{ id } = { id: '' }] = await listTokens(data)
    const { token, ...told } = (await rotateToken(data, id, HOUR))!
    const [first, second] = await listTokens(data)
    const alike = { owner: 'acme', name: 'door', scope: 'camera', rate: 2 }
    expect([first, second]).toMatchObject([
      { ...alike, id, revoked: told.oldEnds },
      { ...alike, id: told.id, revoked: null, expires: told.expires },
    ])
    expect(second!.expires! - second!.created).toBe(first!.expires! - first!.created)
    for (const one of [old, token]) expect(await verdict(data, one)).toMatchObject({ scope: 'camera' })
    await expect(verdict(data, old, HOUR)).rejects.toMatchObject(refused)
    expect(await verdict(data, token, HOUR)).toMatchObject({ scope: 'camera' })
  })

  it('is not lengthened by it, not replaced twice, and can be revoked at once', async () => {
    const data = await temporaryFolder()
    const expires = (Date.now() + HOUR) * 1000
    const old = await createToken({ data, owner: 'acme', name: '', expires })
    const [{ id } = { id: '' }] = await listTokens(data)
    expect((await rotateToken(data, id, 24 * HOUR))!.oldEnds).toBe(expires)
    expect(await rotateToken(data, id, HOUR)).toBeUndefined()
    expect(await tokenIsValid({ data, token: old })).toBe(true)
    expect(await revokeToken(data, id)).toBe(true)
    expect(await tokenIsValid({ data, token: old })).toBe(false)
    expect(await rotateToken(data, id, HOUR)).toBeUndefined()
  })
})

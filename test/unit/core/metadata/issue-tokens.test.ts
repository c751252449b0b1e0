/** Tokens: created, listed, rotated and revoked, and their storage as hashes. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { tokenHash } from '#contract/model/token.ts'
import { openDatabase } from '#core/metadata/database.ts'
import {
  createToken,
  listTokens,
  revokeToken,
  rotateToken,
  tokenIsValid,
} from '#core/metadata/issue-tokens.ts'
import { caller } from '#core/operations/tokens.ts'
import { temporaryFolder } from '../folder.ts'
import { callerParts } from '../operations/caller-parts.ts'

const HOUR = 3_600_000

/** Core's answer for a token, `later` milliseconds from now, from a newly opened database. */
async function authenticate(data: string, token: string, later = 0) {
  const database = await openDatabase(data)
  const services = callerParts(database, () => Date.now() + later)
  try {
    return await caller(services, { tokenHash: (await tokenHash(token))! })
  } finally {
    database.$client.close()
  }
}

const refused = { code: 'AUTH_FAILED' }

describe('createToken', () => {
  it('stores the hash of the token only', async () => {
    const data = await temporaryFolder()
    const token = await createToken({ data, owner: 'acme', name: 'first' })
    const file = await readFile(join(data, 'metadata.db'))
    expect(file.includes(token)).toBe(false)
    expect(file.includes(token.slice(5, 25))).toBe(false)
    expect(file.includes((await tokenHash(token))!)).toBe(true)
  })
})

describe('rotateToken', () => {
  it('creates an equal token, and keeps the old one valid for the grace time', async () => {
    const data = await temporaryFolder()
    const expires = (Date.now() + 90 * HOUR) * 1000
    const old = await createToken({ data, owner: 'acme', name: 'door', scope: 'camera', rate: 2, expires })
    const [{ id } = { id: '' }] = await listTokens(data)
    const { token, ...rotated } = (await rotateToken(data, id, HOUR))!
    const [first, second] = await listTokens(data)
    const alike = { owner: 'acme', name: 'door', scope: 'camera', rate: 2 }
    expect([first, second]).toMatchObject([
      { ...alike, id, revoked: rotated.oldEnds },
      { ...alike, id: rotated.id, revoked: null, expires: rotated.expires },
    ])
    expect(second!.expires! - second!.created).toBe(first!.expires! - first!.created)
    for (const one of [old, token]) expect(await authenticate(data, one)).toMatchObject({ scope: 'camera' })
    await expect(authenticate(data, old, HOUR)).rejects.toMatchObject(refused)
    expect(await authenticate(data, token, HOUR)).toMatchObject({ scope: 'camera' })
  })

  it('neither extends nor rotates an old token again, which can be revoked at once', async () => {
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

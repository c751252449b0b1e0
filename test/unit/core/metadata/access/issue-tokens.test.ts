/** Tokens: created, listed, rotated and revoked, and their storage as hashes. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { tokenHash } from '#contract/model/token.ts'
import {
  createToken,
  listTokens,
  replaceToken,
  revokeToken,
  rotateToken,
  startLink,
  tokenIsValid,
} from '#core/metadata/access/issue-tokens.ts'
import { ownerFor } from '#core/metadata/access/owners.ts'
import { allTokens, endToken } from '#core/metadata/access/tokens.ts'
import { keepSubject, usersOf } from '#core/metadata/access/users.ts'
import { closeDatabase, openDatabase } from '#core/metadata/database.ts'
import { caller } from '#core/operations/access/tokens.ts'
import { temporaryFolder } from '../../folder.ts'
import { callerParts } from '../../operations/caller-parts.ts'

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

it('createToken stores the hash of the token only', async () => {
  const data = await temporaryFolder()
  const token = await createToken({ data, owner: 'acme', name: 'first' })
  const file = await readFile(join(data, 'metadata.db'))
  expect(file.includes(token)).toBe(false)
  expect(file.includes(token.slice(5, 25))).toBe(false)
  expect(file.includes((await tokenHash(token))!)).toBe(true)
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

  it('neither extends nor rotates an old token again; the old token can be revoked at once', async () => {
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

  it('replaces a token once, and none that is revoked at the same time', async () => {
    const data = await temporaryFolder()
    for (const name of ['first', 'second']) await createToken({ data, owner: 'acme', name })
    const database = await openDatabase(data)
    onTestFinished(() => closeDatabase(database))
    const [first, second] = (await allTokens(database)).map(({ id }) => id)
    const now = Date.now() * 1000
    const replace = (id: string, hash: string) => replaceToken(database, { id, hash, graceMs: 0 }, now)
    const twice = await Promise.all([replace(first!, 'a'), replace(first!, 'b')])
    expect(twice.filter(Boolean)).toHaveLength(1)
    const [replaced] = await Promise.all([
      replace(second!, 'c'),
      endToken(database, { id: second! }, now, now),
    ])
    expect(replaced).toBeUndefined()
    expect(await allTokens(database)).toHaveLength(3)
  })
})

it('startLink adds a number to the name of a user of the OpenID provider, and finds that user again', async () => {
  const data = await temporaryFolder()
  await createToken({ data, owner: 'acme', name: '' })
  const database = await openDatabase(data)
  onTestFinished(() => closeDatabase(database))
  const owner = (await ownerFor(database, 'acme'))!
  const provided = {
    id: '0123456789ab',
    owner,
    name: 'Ann',
    role: 'look',
    subject: 'https://id 1',
    created: 0,
  } as const
  await keepSubject(database, provided)
  for (let i = 0; i < 2; i++) await startLink({ data, owner: 'acme', name: 'Ann', role: 'administer' })
  expect(await usersOf(database, owner, 0)).toMatchObject([
    { name: 'Ann', role: 'look', link: null },
    { name: 'Ann 2', role: 'administer', link: expect.any(String) },
  ])
})

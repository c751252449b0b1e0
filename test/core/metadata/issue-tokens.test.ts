/** Tokens: made, listed, revoked, and what is kept of them. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { DEFAULT_OPTIONS } from '../../../core/configuration/options.ts'
import { tokenHash } from '../../../core/contract/token.ts'
import { openDatabase } from '../../../core/metadata/database.ts'
import { createToken, listTokens, revokeToken, tokenIsValid } from '../../../core/metadata/issue-tokens.ts'
import { caller } from '../../../core/recognition/caller.ts'
import { temporaryFolder } from '../folder.ts'

it('opens the service to its owner until it is revoked', async () => {
  const data = await temporaryFolder()
  const token = await createToken({ data, owner: 'acme', name: 'first' })
  expect(await tokenIsValid({ data, token })).toBe(true)
  const [listed] = await listTokens(data)
  expect(listed).toMatchObject({ owner: 'acme', name: 'first', revoked: null })
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
  const database = await openDatabase(data)
  const parts = { database, options: DEFAULT_OPTIONS }
  const owners = await Promise.all(
    tokens.map(async token => caller(parts, { tokenHash: (await tokenHash(token))! })),
  )
  expect(owners[0]!.owner).toEqual(owners[2]!.owner)
  expect(owners[0]!.owner).not.toEqual(owners[1]!.owner)
  expect(owners[0]!.owner).toMatch(/^[0-9a-f]{24}$/)
  database.$client.close()
})

it('is accepted at once by a database that was open before it was made', async () => {
  const data = await temporaryFolder()
  await createToken({ data, owner: 'acme', name: 'first' })
  const database = await openDatabase(data)
  const parts = { database, options: DEFAULT_OPTIONS }
  const hash = (await tokenHash(await createToken({ data, owner: 'acme', name: 'second' })))!
  expect(await caller(parts, { tokenHash: hash })).toMatchObject({ owner: expect.any(String) })
  await expect(caller(parts, { tokenHash: '0'.repeat(64) })).rejects.toMatchObject({
    code: 'AUTH_FAILED',
  })
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

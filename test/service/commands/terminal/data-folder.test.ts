/** Commands that read a data folder, where there is none: they say so and create nothing. */
import { existsSync } from 'node:fs'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { listTokens } from '../../../../core/metadata/issue-tokens.ts'
import { temporaryFolder } from '../../../unit/core/folder.ts'
import { typed } from '../typed.ts'

/** With a key, commands of earlier versions made an encrypted folder. */
const KEY = { MIEN_ENCRYPTION_KEY: '11'.repeat(32) }

/** What needs a folder that a service has used. */
const SERVED = [
  'token create --owner ann',
  'token list',
  'token list --json',
  'token rotate 0123456789ab',
  'token revoke 0123456789ab',
  'owner list',
  'owner delete ann --yes',
  'audit-log list',
  'audit-log verify',
  'audit-log head',
  'audit-log prune --before 2026-01-01',
  'store stat',
  'store index g',
  'store verify',
  'store compact',
  'store backup copy',
  'store export file.jsonl',
]

/** What needs a folder. */
const THERE = [
  'secrets list',
  'secrets show edge',
  'secrets rotate edge',
  'secrets retire links',
  'encryption status',
  'encryption on',
  'encryption rotate --data-key',
  'encryption off',
  'calibrate status',
  'calibrate --off',
  'calibrate --images .',
  'models list',
  'models verify',
  'models reembed',
]

describe('a data folder that is missing', () => {
  it.each([...SERVED, ...THERE])('is named by %s, and stays missing', async line => {
    const folder = await temporaryFolder()
    const data = join(folder, 'no such folder')
    const { status, stdout, stderr } = typed([...line.split(' '), '--data', data], KEY)
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toContain(`There is no data folder ${data}.`)
    expect(stderr).toContain('--data DIR or MIEN_DATA')
    expect(await readdir(folder)).toEqual([])
  })

  it('may be a file', async () => {
    const file = join(await temporaryFolder(), 'file')
    await writeFile(file, '')
    expect(typed(['token', 'list', '--data', file])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(`${file} is a file`),
    })
  })

  it('is no error where the project itself has none yet and the packs of Mien are listed', () => {
    expect(typed(['models', 'list'])).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('standard'),
    })
  })
})

describe('a folder that no service has used', () => {
  it.each(SERVED)('is refused by %s, and stays as it is', async line => {
    const data = await temporaryFolder()
    const { status, stdout, stderr } = typed(line.split(' '), { MIEN_DATA: data })
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toContain(`${data} is not a data folder of Mien`)
    expect(await readdir(data)).toEqual([])
  })

  it('gets a token before its first start by --new', async () => {
    const data = join(await temporaryFolder(), 'new')
    const create = ['token', 'create', '--owner', 'ann', '--data', data]
    expect(typed(create).stderr).toContain('--new')
    expect(existsSync(data)).toBe(false)
    expect(typed([...create, '--new'])).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^mien_\w+\n$/),
    })
    expect(await listTokens(data)).toMatchObject([{ owner: 'ann' }])
    // From then on it is a data folder like any other.
    expect(typed(create)).toMatchObject({ status: 0 })
  })

  it('may be empty where the metadata is in a database', async () => {
    const folder = await temporaryFolder()
    const data = join(folder, 'data')
    await mkdir(data)
    const env = { MIEN_DATABASE_URL: `file:${join(folder, 'elsewhere.db')}` }
    expect(typed(['token', 'create', '--owner', 'ann', '--data', data], env)).toMatchObject({ status: 0 })
    expect(typed(['token', 'list', '--data', `${data}2`], env)).toMatchObject({ status: 1 })
  })
})

/** Commands on a missing or unused data folder: they report it and create nothing. */
import { existsSync } from 'node:fs'
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { listTokens } from '#core/metadata/access/issue-tokens.ts'
import { runMien, startMien } from '#test/support/typed.ts'
import { temporaryFolder, temporaryPath } from '#test/unit/core/folder.ts'

/** Set because commands of earlier versions created an encrypted folder when they had a key. */
const KEY = { MIEN_ENCRYPTION_KEY: '11'.repeat(32) }

/** Commands that need a folder in which a service has run. */
const SERVED = ['token list', 'owner delete ann --yes', 'audit verify', 'store compact', 'backup copy']

/** Commands that need an existing folder. */
const THERE = ['secrets rotate edge', 'encryption rotate', 'models reembed']

describe('a missing data folder', { tags: 'long' }, () => {
  it.each([SERVED[0]!, ...THERE])('is reported by %s and not created', async line => {
    const folder = await temporaryFolder()
    const data = join(folder, 'no such folder')
    const { status, stdout, stderr } = runMien([...line.split(' '), '--data', data], KEY)
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toContain(`There is no data folder ${data}.`)
    expect(stderr).toContain('--data DIR or MIEN_DATA')
    expect(await readdir(folder)).toEqual([])
  })

  it('is reported when the path is a file', async () => {
    const file = await temporaryPath('file')
    await writeFile(file, '')
    expect(runMien(['token', 'list', '--data', file])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(`${file} is a file`),
    })
  })

  it('is no error for models list without --data', () => {
    expect(runMien(['models', 'list'])).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('standard'),
    })
  })
})

describe('a data folder that no service has used', () => {
  it.each(SERVED)('is refused by %s and not changed', async line => {
    const data = await temporaryFolder()
    const { status, stdout, stderr } = runMien(line.split(' '), { MIEN_DATA: data })
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toContain(`${data} is not a data folder of Mien`)
    expect(await readdir(data)).toEqual([])
  })

  it('is created by token create --new, for its user alone', async () => {
    const data = await temporaryPath('new')
    const create = ['token', 'create', '--owner', 'ann', '--data', data]
    expect(runMien(create).stderr).toContain('--new')
    expect(existsSync(data)).toBe(false)
    // A process sets its umask.
    expect(await startMien([...create, '--new']).exited).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^mien_\w+\n$/),
    })
    expect((await stat(join(data, 'metadata.db'))).mode & 0o077).toBe(0)
    expect(await listTokens(data)).toMatchObject([{ owner: 'ann' }])
    // The folder is a data folder from now on.
    expect(runMien(create)).toExit(0)
  })

  it('may be empty when the metadata is in a database', async () => {
    const folder = await temporaryFolder()
    const data = join(folder, 'data')
    await mkdir(data)
    const env = { MIEN_DATABASE_URL: `file:${join(folder, 'elsewhere.db')}` }
    expect(runMien(['token', 'create', '--owner', 'ann', '--data', data], env)).toExit(0)
    expect(runMien(['token', 'list', '--data', `${data}2`], env)).toExit(1)
  })
})

/** Where `mien enrol` finds the service and the token. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type ConnectionOptions, connect } from '#commands/terminal/connection.ts'
import { writeReady } from '#commands/terminal/ready-file.ts'
import { temporaryFolder } from '../../core/folder.ts'

let data = ''
beforeEach(async () => {
  data = await temporaryFolder()
})

const URL = 'https://faces.example.com/api'

const connected = async (options: Partial<ConnectionOptions>, env: NodeJS.ProcessEnv = {}) =>
  (await connect({ data, ...options }, env)).address

describe('the service', () => {
  it('is the one of the URL, with a token of the environment or of a file', async () => {
    expect(await connected({ url: URL }, { MIEN_TOKEN: 'mien_x' })).toBe(URL)
    await writeFile(join(data, 'token'), 'mien_y\n')
    expect(await connected({ url: URL, tokenFile: join(data, 'token') })).toBe(URL)
  })

  it('is the running one of the data folder without a URL', async () => {
    await writeReady(data, {
      edge: 'http://127.0.0.1:7',
      core: 'http://127.0.0.1:8',
      token: 'mien_z',
      pid: process.pid,
    })
    expect(await connected({})).toBe('http://127.0.0.1:7')
  })

  it.each([
    [{ url: URL }, {}, /A URL needs a token/],
    [{ url: 'faces' }, { MIEN_TOKEN: 'mien_x' }, /expected the URL/],
    [{ url: URL, tokenFile: '/nowhere' }, {}, /\/nowhere, which cannot be read/],
    [{}, { MIEN_TOKEN: 'mien_x' }, /No service runs on/],
  ])('is refused: %j %j', async (options, env, message) => {
    await expect(connected(options, env)).rejects.toThrow(message)
  })

  it('is never named with its token in an error', async () => {
    await writeFile(join(data, 'token'), 'mien secret')
    const refused = connected({ url: URL, tokenFile: join(data, 'token') })
    await expect(refused).rejects.toThrow(/^(?!.*secret)token: expected/)
  })
})

/** The options of `mien start`: defaults, variables, and refusals. */

import { join } from 'node:path'
import { type GivenOptions, startOptions } from '#commands/processes/options.ts'
import { ROOT } from '#test/support/root.ts'
import { parseWords } from '../parsed.ts'

const read = async (args: string[], env: Record<string, string> = {}) => {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
  return startOptions((await parseWords(['start', ...args])).options as unknown as GivenOptions, env)
}

afterEach(() => void vi.unstubAllEnvs())

describe('the options of mien start', () => {
  it('default to loopback and the data folder of the project', async () => {
    const data = join(ROOT, 'data')
    expect(await read([])).toMatchObject({ data, host: '127.0.0.1', coreHost: '127.0.0.1' })
  })

  it('win over the environment', async () => {
    const env = { MIEN_DATA: '/a', MIEN_EDGE_PORT: '1', MIEN_CORE_PORT: '2', MIEN_HOST: '::1' }
    expect(await read([], env)).toMatchObject({ data: '/a', edgePort: 1, corePort: 2, host: '::1' })
    expect(await read(['--data', '/b', '--edge-port', '3', '--host', '0.0.0.0'], env)).toMatchObject({
      data: '/b',
      edgePort: 3,
      corePort: 2,
      host: '0.0.0.0',
    })
  })

  it('resolve a relative folder from where npm was called', async () => {
    const options = await read(['--data', 'faces', '--config', 'my.ini'], { INIT_CWD: '/home/ann' })
    expect(options).toMatchObject({ data: '/home/ann/faces', config: '/home/ann/my.ini' })
  })

  it.each([
    ['--core-port', '65536'],
    ['--edge-workers', '0'],
    ['--trusted-proxies', '10.0.0.0/8, nginx'],
  ])('refuse %s %s', async (option, value) => {
    await expect(read([option, value])).rejects.toThrow()
  })

  it.each(['--user-header', '--user-proxies'])('say what replaces %s', async option => {
    await expect(read([option, 'x'])).rejects.toThrow('let people sign in with OpenID Connect or passkeys')
  })

  it.each([
    ['MIEN_FFMPEG', 'use --ffmpeg'],
    ['MIEN_MQTT_CA', 'use --broker-ca'],
    ['MIEN_MQTT_PASSWORD', 'use --broker-login'],
    ['MIEN_MQTT_USER', 'use --broker-login'],
    ['MIEN_ONLY_INDEX', 'searches read all vectors'],
    ['MIEN_OTHER_CORES', 'use --other-cores'],
    ['MIEN_USER_HEADER', 'let people sign in with OpenID Connect or passkeys'],
    ['MIEN_USER_PROXIES', 'let people sign in with OpenID Connect or passkeys'],
  ])('say what replaces the removed variable %s', async (variable, advice) => {
    await expect(read([], { [variable]: 'x' })).rejects.toThrow(
      `${variable} is no longer read. Unset it: ${advice}`,
    )
    await read([], { [variable]: '' })
  })
})

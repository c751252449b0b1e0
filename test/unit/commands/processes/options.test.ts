/** The options of `mien start`: defaults, variables, and what is refused. */
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type GivenOptions, startOptions } from '#commands/processes/options.ts'
import { parsed } from '../parsed.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..', '..')

const read = async (args: string[], env: Record<string, string> = {}) => {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
  return startOptions((await parsed(['start', ...args])).options as unknown as GivenOptions, env)
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

  it.each([
    ['--user-header', 'MIEN_USER_HEADER', 'X-Remote-User'],
    ['--user-proxies', 'MIEN_USER_PROXIES', 'loopback'],
  ])('say that the users of a reverse proxy are removed: %s, %s', async (option, variable, value) => {
    const sentence =
      /names no users any more: unset it, and let people sign in with OpenID Connect or passkeys/
    await expect(read([option, value])).rejects.toThrow(sentence)
    await expect(read([], { [variable]: value })).rejects.toThrow(sentence)
    await read([], { [variable]: '' })
  })

  it.each(['MIEN_FFMPEG', 'MIEN_MQTT_CA', 'MIEN_OTHER_CORES'])(
    'say which option does what the removed variable %s did',
    async variable => {
      await expect(read([], { [variable]: 'x' })).rejects.toThrow(/^MIEN_\w+ is not read any more: .* use --/)
      await read([], { [variable]: '' })
    },
  )
})

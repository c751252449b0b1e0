import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { access, mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { clientOf } from '../../../bench/harness/client.ts'
import { type Service, startService } from '../../../bench/harness/service.ts'
import { originOf, startOptions } from '../../../commands/service/options.ts'

/** Where no core listens. */
const NOBODY = '127.0.0.1:9'

const START = join(import.meta.dirname, '..', '..', '..', 'commands', 'start.ts')

describe('the options of npm start', () => {
  const read = (args: string[], env: NodeJS.ProcessEnv = {}) => startOptions(args, env, '/srv/mien')

  it('default to loopback, two ports and the data folder of the project', () => {
    expect(read([])).toEqual({
      data: '/srv/mien/data',
      edgePort: 8787,
      corePort: 8788,
      host: '127.0.0.1',
      coreHost: '127.0.0.1',
      otherCores: '',
      edgeWorkers: Math.max(1, availableParallelism() - 1),
      trustedProxies: '',
      config: undefined,
    })
  })

  it('win over the environment', () => {
    const env = { MIEN_DATA: '/a', MIEN_EDGE_PORT: '1', MIEN_CORE_PORT: '2', MIEN_HOST: '::1' }
    expect(read([], env)).toMatchObject({ data: '/a', edgePort: 1, corePort: 2, host: '::1' })
    expect(read(['--data', '/b', '--edge-port', '3', '--host', '0.0.0.0'], env)).toMatchObject({
      data: '/b',
      edgePort: 3,
      corePort: 2,
      host: '0.0.0.0',
    })
  })

  it('understand a relative folder from where npm was called', () => {
    const options = read(['--data', 'faces', '--config', 'my.ini'], { INIT_CWD: '/home/ann' })
    expect(options).toMatchObject({ data: '/home/ann/faces', config: '/home/ann/my.ini' })
  })

  it.each([
    ['--edge-port', 'http'],
    ['--core-port', '65536'],
    ['--edge-port', '-1'],
    ['--edge-workers', '0'],
    ['--edge-workers', 'all'],
    ['--trusted-proxies', '10.0.0.0/8, nginx'],
    ['--nonsense', '1'],
  ])('refuse %s %s', (option, value) => {
    expect(() => read([option, value])).toThrow()
  })

  it.each([
    ['127.0.0.1', 'http://127.0.0.1:80'],
    ['0.0.0.0', 'http://127.0.0.1:80'],
    ['::', 'http://[::1]:80'],
    ['mien.test', 'http://mien.test:80'],
  ])('make of the address %s the origin %s', (host, origin) => {
    expect(originOf(host, 80)).toBe(origin)
  })
})

describe('npm start', () => {
  let data: string
  let service: Service | undefined
  beforeEach(async () => {
    data = await mkdtemp(join(tmpdir(), 'mien-start-'))
  })
  afterEach(async () => {
    await service?.stop('SIGKILL')
    await rm(data, { recursive: true, force: true, maxRetries: 10 })
  })

  it('says what it needs when a port is taken, and exits with 1', async () => {
    const port = Number(new URL(inject('edge')).port)
    for (const option of ['--edge-port', '--core-port']) {
      const other = option === '--edge-port' ? '--core-port' : '--edge-port'
      const { status, stderr } = spawnSync(
        process.execPath,
        [START, '--data', data, option, String(port), other, '0'],
        {
          encoding: 'utf8',
        },
      )
      expect(status).toBe(1)
      expect(stderr).toContain(`Port ${port}`)
      expect(stderr).toContain(option)
    }
  })

  it('leaves ready.json for scripts while it runs, and the same token at the next start, also before other cores', async () => {
    service = await startService({ data })
    const ready = JSON.parse(await readFile(join(data, 'ready.json'), 'utf8'))
    expect(ready).toEqual({ edge: service.edge, core: service.core, token: service.token, pid: service.pid })
    expect((await stat(join(data, 'ready.json'))).mode & 0o077).toBe(0)
    expect(service.output()).toContain(service.token)
    expect(service.output()).toMatch(/curl .*sample1\.jpg/)
    // Ctrl-C comes from the terminal, and once more from npm.
    process.kill(service.pid, 'SIGINT')
    expect(await service.stop('SIGINT')).toBe(0)
    await expect(access(join(data, 'ready.json'))).rejects.toThrow()

    const token = service.token
    service = await startService({ data, args: ['--other-cores', `http://${NOBODY}`] })
    expect(service.token).toBe(token)
    expect(service.output()).not.toContain(token)
    await expect.poll(service.output).toContain(`"event":"core unavailable","core":"${NOBODY}"`)
  })

  it('refuses a data folder that another one has open', async () => {
    const { status, stderr } = spawnSync(
      process.execPath,
      [START, '--data', inject('data'), '--edge-port', '0', '--core-port', '0'],
      { encoding: 'utf8' },
    )
    expect(status).toBe(1)
    expect(stderr).toMatch(/another/i)
    expect((await clientOf(inject('edge'), inject('token'))('GET', '/v0/galleries')).status).toBe(200)
  })

  it.each(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)('leaves no process behind after %s', async signal => {
    service = await startService({ data })
    await service.stop(signal)
    await eventually(() => processesOf(data).length === 0)
    await expect(access(join(data, 'ready.json'))).rejects.toThrow()
    const { edge, core } = service
    for (const origin of [edge, core]) await expect(fetch(origin)).rejects.toThrow()
  })

  it('starts core again when it dies, with everything that was acknowledged', async () => {
    service = await startService({ data })
    const api = clientOf(service.edge, service.token)
    await api('POST', '/v0/galleries/kept')
    const core = processesOf(data).find(({ command }) => command.includes('server.ts'))
    process.kill(core!.pid, 'SIGKILL')
    await eventually(async () => (await api('GET', '/v0/galleries')).body?.results?.includes('kept'))
  })
})

interface Running {
  pid: number
  command: string
}

/** Processes that were started for this data folder: it stands in their arguments or their environment. */
function processesOf(data: string): Running[] {
  const running = existsSync('/proc/self/environ') ? fromProc() : fromPs()
  return running.filter(({ pid, command }) => command.includes(data) && pid !== process.pid)
}

/** Where Linux tells of them; a bare machine has no `ps`. */
function fromProc(): Running[] {
  const told = (pid: string, file: string): string => {
    try {
      return readFileSync(join('/proc', pid, file), 'utf8').replaceAll('\0', ' ')
    } catch {
      // It has ended meanwhile.
      return ''
    }
  }
  const pids = readdirSync('/proc').filter(name => /^\d+$/.test(name))
  return pids.map(pid => ({ pid: Number(pid), command: told(pid, 'cmdline') + told(pid, 'environ') }))
}

function fromPs(): Running[] {
  const { stdout } = spawnSync('ps', ['axeww', '-o', 'pid,command'], {
    encoding: 'utf8',
    maxBuffer: 64 * 2 ** 20,
  })
  return stdout.split('\n').map(line => ({ pid: Number.parseInt(line, 10), command: line }))
}

/** Settles when the condition holds; fails with the test's own timeout when it never does. */
async function eventually(holds: () => unknown): Promise<void> {
  while (!(await Promise.resolve(holds()).catch(() => false)))
    await new Promise(resolve => setTimeout(resolve, 100))
}

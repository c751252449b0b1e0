import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { access, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { inject } from 'vitest'
import { clientOf, form, sample } from '#test/support/client.ts'
import { hasFfmpeg } from '#test/support/photos/clips.ts'
import { type Service, startService } from '#test/support/service.ts'
import { runMien, startMien } from '#test/support/typed.ts'
import { embedderFile, FACE_IN_THE_MIDDLE, tinyPack, yunetFile } from '../../unit/models/tiny-networks.ts'

/** An address where nothing listens. */
const UNUSED_ADDRESS = '127.0.0.1:9'

describe.skipIf(process.platform !== 'linux')('npm start', { tags: 'long' }, () => {
  let folder: string
  let data: string
  let service: Service | undefined
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mien-start-'))
    data = folder
  })
  afterEach(async () => {
    await service?.stop('SIGKILL')
    await rm(folder, { recursive: true, force: true, maxRetries: 10 })
  })

  it('reports a port in use with the option to change, and exits with 1', async () => {
    const port = new URL(inject('edge')).port
    const args = ['start', '--data', data, '--edge-port', port, '--core-port', '0']
    const { code, stderr } = await startMien(args).exited
    expect(code).toBe(1)
    expect(stderr).toContain(`Port ${port}`)
    expect(stderr).toContain('--edge-port')
  })

  it('writes ready.json while it runs, keeps the token, starts a core that dies again, and leaves no process behind', async () => {
    // For the shell, the printed command quotes this name.
    data = join(data, `it's "my" $HOME; data, too`)
    service = await startService({ data })
    expect(existsSync(join(data, 'log'))).toBe(false)
    const ready = JSON.parse(await readFile(join(data, 'ready.json'), 'utf8'))
    expect(ready).toEqual({ edge: service.edge, core: service.core, token: service.token, pid: service.pid })
    expect((await stat(join(data, 'ready.json'))).mode & 0o077).toBe(0)
    expect(service.output()).toContain(`token  in ${join(data, 'token')}\n`)
    const pasted = /^ {2}curl .*$/m.exec(service.output())![0]
    const { stdout } = spawnSync('sh', ['-c', pasted], { encoding: 'utf8', timeout: 110_000, cwd: tmpdir() })
    expect(JSON.parse(stdout).faces.length).toBeGreaterThan(0)
    const linkFile = join(data, 'sign-in-link')
    expect(service.output()).toContain(`  in ${linkFile}\n`)
    expect((await stat(linkFile)).mode & 0o077).toBe(0)
    const [edge, code] = (await readFile(linkFile, 'utf8')).trim().split('/#/sign-in/')
    for (const secret of [service.token, code]) expect(service.output()).not.toContain(secret)
    for (const status of [200, 401])
      await expect(clientOf(edge!, undefined)('POST', '/session', { code })).toAnswer(status)
    // A Ctrl-C in a terminal reaches the process twice: from the terminal and from npm.
    process.kill(service.pid, 'SIGINT')
    expect(await service.stop('SIGINT')).toBe(0)
    await eventually(() => processesOf(data).length === 0)
    await expect(access(join(data, 'ready.json'))).rejects.toThrow()

    const token = service.token
    service = await startService({ data, args: ['--other-cores', `http://${UNUSED_ADDRESS}`] })
    expect(service.token).toBe(token)
    expect(service.output()).not.toContain(token)
    await expect.poll(service.output).toContain(`"event":"core unavailable","core":"${UNUSED_ADDRESS}"`)

    const api = clientOf(service.edge, service.token)
    await expect(api('POST', '/v0/galleries/kept')).toAnswer(201)
    const core = processesOf(data).find(({ command }) => command.includes('server.ts'))
    process.kill(core!.pid, 'SIGKILL')
    await eventually(async () => (await api('GET', '/v0/galleries')).body?.results?.includes('kept'))

    await service.stop('SIGKILL')
    await eventually(() => processesOf(data).length === 0)
    await expect(access(join(data, 'ready.json'))).rejects.toThrow()
  })

  it('chooses the pack of --pack with its files in place, detects and embeds with it', async () => {
    const added = join(data, 'mine.json')
    await writeFile(join(data, 'mine-eyes.onnx'), yunetFile(64, [FACE_IN_THE_MIDDLE]))
    await writeFile(join(data, 'mine-embedder.onnx'), embedderFile(112))
    await writeFile(added, JSON.stringify(tinyPack('mine')))
    expect(runMien(['models', 'add', added, '--data', data])).toExit(0)
    service = await startService({ data, args: ['--pack', 'mine'], env: { MIEN_GAE: 'true' } })
    expect(JSON.parse(await readFile(join(data, 'pack.json'), 'utf8'))).toMatchObject({ pack: 'mine' })
    const send = clientOf(service.edge, service.token)
    expect((await send('GET', '/v1/service')).body.pack).toBe('mine')
    // So small that the detector scans it as a whole only.
    const [photo, another] = await Promise.all(
      ([1, 5] as const).map(async number =>
        sharp(await sample(number))
          .resize(240)
          .toBuffer(),
      ),
    )
    const { faces } = (await send('POST', '/v1/detect', form({ photo: photo!, age: 'true' }))).body
    // The tiny network detects one face in every picture: in the middle, half as long as the longer side.
    expect(faces).toEqual([expect.objectContaining({ x1: 60, y1: 20, x2: 180, y2: 140 })])
    expect(faces[0].age).toBeGreaterThanOrEqual(0)
    const { id } = (await send('POST', '/v1/face', form({ photo: photo! }))).body.results[0]
    const found = await send('POST', '/v1/identify', form({ photo: photo! }))
    expect(JSON.stringify(found.body)).toContain(`"id":${id}`)
    const other = await send('POST', '/v1/verify', form({ photo1: photo!, photo2: another! }))
    expect(other.body.results[0].confidence).toBeLessThan(1)
  })

  it('refuses an unknown pack, and keeps the choice', async () => {
    const ports = ['--edge-port', '0', '--core-port', '0']
    const { code, stderr } = await startMien(['start', '--data', data, ...ports, '--pack', 'unknown']).exited
    expect([code, stderr]).toEqual([1, expect.stringContaining('There is no pack "unknown"')])
    await expect(access(join(data, 'pack.json'))).rejects.toThrow()
  })

  it.skipIf(!hasFfmpeg)(
    'watches cameras with --watch until the setting is off',
    { tags: 'ffmpeg' },
    async () => {
      service = await startService({ data, args: ['--watch'] })
      const api = clientOf(service.edge, service.token)
      await eventually(() => service!.output().includes('"event":"watching"'))
      const token = (await readFile(join(data, 'watcher-token'), 'utf8')).trim()
      expect((await stat(join(data, 'watcher-token'))).mode & 0o077).toBe(0)
      const { body } = await clientOf(service.edge, token)('GET', '/v1/token')
      expect(body).toMatchObject({ owner: 'starter', scope: 'camera' })

      const id = (await api('POST', '/v1/camera', { url: 'http://127.0.0.1:9/door' })).body.id
      const state = async () => (await api('GET', `/v1/cameras/${id}/state`)).body
      await eventually(async () => (await state()).last_error === 'connection refused')
      const watchers = () => processesOf(data).filter(({ command }) => command.includes('watcher-token'))
      for (const { command } of processesOf(data)) expect(command).not.toContain(token)
      expect(service.output()).not.toContain(token)

      expect((await api('GET', '/v1/service')).body).toMatchObject({ has_watcher: true })
      await api('PUT', '/v1/settings', { watch_cameras: false })
      await eventually(() => watchers().length === 0)

      expect(await service.stop('SIGTERM')).toBe(0)
      expect(service.output()).toContain('"event":"stopped"')
      await eventually(() => processesOf(data).length === 0)
    },
  )
})

interface Running {
  pid: number
  command: string
}

/** Processes with this data folder in their arguments or environment. */
function processesOf(data: string): Running[] {
  const told = (pid: string, file: string) => {
    try {
      return readFileSync(join('/proc', pid, file), 'utf8').replaceAll('\0', ' ')
    } catch {
      // The process has just ended.
      return ''
    }
  }
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(pid => ({ pid: Number(pid), command: told(pid, 'cmdline') + told(pid, 'environ') }))
    .filter(({ pid, command }) => command.includes(data) && pid !== process.pid)
}

/** Polls until the condition holds; the test's own time limit ends it otherwise. */
async function eventually(holds: () => unknown) {
  while (!(await Promise.resolve(holds()).catch(() => false)))
    await new Promise(resolve => setTimeout(resolve, 100))
}

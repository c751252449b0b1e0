import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { clientOf, form, sample } from '#bench/harness/client.ts'
import { descendantOf } from '#bench/harness/processes.ts'
import { newToken } from '#bench/harness/tokens.ts'
import { isAlive } from '#commands/processes/ready-file.ts'
import { temporaryFolder } from '../../unit/core/folder.ts'

const MIEN = join(import.meta.dirname, '..', '..', '..', 'commands', 'mien.js')

interface Half {
  child: ChildProcess
  said(): string
}

function start(half: 'core' | 'edge', args: string[], env: Record<string, string> = {}): Half {
  const child = spawn(process.execPath, [MIEN, half, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    // An edge ends workerd with itself, if it is let.
    child.kill(half === 'edge' ? 'SIGTERM' : 'SIGKILL')
    await gone
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', text => (output += text))
  return { child, said: () => output }
}

/** Polls the output until `words` matches; rejects with the output when the process ends before. */
async function saying({ child, said }: Half, words: RegExp): Promise<string> {
  for (;;) {
    const [, found] = words.exec(said()) ?? []
    if (found !== undefined) return found
    if (child.exitCode !== null) throw new Error(`It ended with ${child.exitCode}: ${said()}`)
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}

async function ended(half: Half): Promise<{ code: number | null; said: string }> {
  if (half.child.exitCode === null) await once(half.child, 'close')
  return { code: half.child.exitCode, said: half.said() }
}

const portOfCore = (core: Half) => saying(core, /"event":"ready".*"port":(\d+)/)
const originOfEdge = (edge: Half) => saying(edge, /listens on (\S+),/)

async function secretFile(mode = 0o600): Promise<string> {
  const path = join(await temporaryFolder(), 'edge-secret')
  writeFileSync(path, `${randomBytes(32).toString('hex')}\n`, { mode })
  return path
}

/** A server that reports the request for a photo and sends the photo on demand. */
async function slowPhotos(): Promise<{ host: string; asked: Promise<(photo: Uint8Array) => void> }> {
  const server = createServer()
  onTestFinished(() => void server.close())
  const asked = once(server, 'request').then(
    ([, response]) =>
      (photo: Uint8Array) =>
        response.end(photo),
  )
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

/** An edge during a detection whose photo arrives on demand. */
async function detecting() {
  const slow = await slowPhotos()
  const data = await temporaryFolder()
  const core = start('core', ['--data', data, '--port', '0'], { MIEN_PHOTO_HOSTS: slow.host })
  const url = `http://127.0.0.1:${await portOfCore(core)}`
  const edge = start('edge', ['--core', url, '--port', '0', '--data', data])
  const origin = await originOfEdge(edge)
  const begun = clientOf(origin, newToken(data, 'ann'))('POST', '/v0/detect', {
    photo: `http://${slow.host}/`,
  })
  return { edge, origin, begun, send: await slow.asked }
}

/** The outcome of a new connection. */
const letIn = (origin: string): Promise<string> =>
  new Promise(resolve => {
    const socket = connect(Number(new URL(origin).port), '127.0.0.1', () => resolve('let in'))
    socket
      .on('connect', () => socket.destroy())
      .on('error', ({ code }: NodeJS.ErrnoException) => resolve(code!))
  })

describe('mien core and mien edge', { tags: 'long' }, () => {
  it('serve together with a shared secret in a file', async () => {
    const data = await temporaryFolder()
    const secret = { MIEN_EDGE_SECRET_FILE: await secretFile() }
    const core = start('core', ['--data', data, '--port', '0'], secret)
    const url = `http://127.0.0.1:${await portOfCore(core)}`
    const nowhere = join(data, 'nothing', 'here')
    const edge = start('edge', ['--core', url, '--port', '0', '--data', nowhere], secret)
    const api = clientOf(await originOfEdge(edge), newToken(data, 'ann'))
    const { status, body } = await api('POST', '/v0/face', form({ photo: await sample(1), meta: 'x' }))
    expect(status).toBe(200)
    expect(body.results).toHaveLength(1)

    core.child.kill('SIGTERM')
    expect((await ended(core)).code).toBe(0)
    expect((await api('GET', '/v0/galleries')).status).toBe(503)
  })

  it('serve together with the secret of a shared data folder', async () => {
    const data = await temporaryFolder()
    const core = start('core', ['--data', data, '--port', '0'])
    const url = `http://127.0.0.1:${await portOfCore(core)}`
    const edge = start('edge', ['--core', url, '--port', '0', '--data', data])
    const api = clientOf(await originOfEdge(edge), newToken(data, 'ann'))
    expect((await api('GET', '/v0/galleries')).status).toBe(200)
  })

  it('serve with several cores, and skip a core that does not listen', async () => {
    const data = await temporaryFolder()
    const core = start('core', ['--data', data, '--port', '0'])
    const urls = `http://127.0.0.1:9,http://127.0.0.1:${await portOfCore(core)}`
    const edge = start('edge', ['--core', urls, '--port', '0', '--data', data])
    const api = clientOf(await originOfEdge(edge), newToken(data, 'ann'))
    expect((await api('GET', '/v0/galleries')).status).toBe(200)
    expect(await saying(edge, /"event":"core unavailable","core":"(.*?)"/)).toBe('127.0.0.1:9')
  })

  it('answer running requests when the edge is stopped, and refuse new connections', async () => {
    const { edge, origin, begun, send } = await detecting()
    edge.child.kill('SIGTERM')
    await expect.poll(() => letIn(origin), { timeout: 10_000 }).toBe('ECONNREFUSED')
    send(await sample(1))
    const { status, body } = await begun
    expect(status).toBe(200)
    expect(body.faces.length).toBeGreaterThan(0)
    expect(await ended(edge)).toMatchObject({ code: 0 })
  })

  it('stop the edge and its workerd at once on a second signal a second later', async () => {
    const { edge, begun } = await detecting()
    const runtime = await descendantOf(edge.child.pid!, 'workerd serve')
    const cut = expect(begun).rejects.toThrow()
    edge.child.kill('SIGTERM')
    const again = setInterval(() => edge.child.kill('SIGTERM'), 200)
    expect((await ended(edge)).code).toBe(1)
    clearInterval(again)
    await cut
    await expect.poll(() => isAlive(runtime), { timeout: 10_000 }).toBe(false)
  })

  it.each([
    { half: 'edge' as const, args: [], complaint: 'secrets.json is not there' },
    { half: 'core' as const, args: ['--host', '0.0.0.0'], complaint: 'MIEN_OPERATOR_TOKEN' },
  ])('are refused with $complaint: $half $args', async ({ half, args, complaint }) => {
    const told = await ended(start(half, args, { MIEN_DATA: await temporaryFolder() }))
    expect(told.said).toContain(complaint)
    expect(told.code).toBe(1)
  })

  it('report a port in use', async () => {
    const data = await temporaryFolder()
    const taken = createServer()
    onTestFinished(() => void taken.close())
    await once(taken.listen(0, '127.0.0.1'), 'listening')
    const port = String((taken.address() as AddressInfo).port)
    const secret = { MIEN_EDGE_SECRET_FILE: await secretFile() }
    const edge = start('edge', ['--port', port, '--data', data], secret)
    const { code, said } = await ended(edge)
    expect(said).toContain(`http://127.0.0.1:${port} can't be listened on (EADDRINUSE).`)
    expect(code).toBe(1)
  })

  it('replace a dead worker of the edge and keep serving at the same address', async () => {
    const secret = { MIEN_EDGE_SECRET_FILE: await secretFile() }
    const args = ['--port', '0', '--edge-workers', '2', '--data', await temporaryFolder()]
    const edge = start('edge', args, secret)
    const origin = await originOfEdge(edge)
    const runtime = await descendantOf(edge.child.pid!, 'workerd serve')
    process.kill(runtime, 'SIGKILL')
    for (let n = 0; n < 20; n++) expect((await fetch(`${origin}/healthz`)).status).toBe(200)
    await expect.poll(() => isAlive(runtime), { timeout: 10_000 }).toBe(false)
    expect(edge.said()).toContain('A worker of the edge has died and is replaced.')
  })

  it('answer 503 while the only worker is replaced, and serve again afterwards', async () => {
    const secret = { MIEN_EDGE_SECRET_FILE: await secretFile() }
    const args = ['--port', '0', '--edge-workers', '1', '--data', await temporaryFolder()]
    const edge = start('edge', args, secret)
    const api = clientOf(await originOfEdge(edge), undefined)
    process.kill(await descendantOf(edge.child.pid!, 'workerd serve'), 'SIGKILL')
    const { status, body } = await api('POST', '/healthz', { a: 1 })
    expect([status, body.code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
    await expect.poll(async () => (await api('GET', '/healthz')).status, { timeout: 30_000 }).toBe(200)
  })

  it.skipIf(process.platform === 'win32')('refuse a secret file that everybody can read', async () => {
    const secret = { MIEN_EDGE_SECRET_FILE: await secretFile(0o644) }
    for (const half of ['core', 'edge'] as const) {
      const { code, said } = await ended(
        start(half, ['--port', '0'], { ...secret, MIEN_DATA: await temporaryFolder() }),
      )
      expect(said).toContain('everybody can read')
      expect(code).toBe(1)
    }
  })

  it('refuse a secret that is given twice', async () => {
    const both = { MIEN_EDGE_SECRET_FILE: await secretFile(), MIEN_EDGE_SECRET: 'x'.repeat(32) }
    const { said } = await ended(
      start('core', ['--port', '0'], { ...both, MIEN_DATA: await temporaryFolder() }),
    )
    expect(said).toContain('both set')
    expect(said).not.toContain('x'.repeat(32))
  })
})

import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { inject } from 'vitest'
import { isAlive } from '#commands/terminal/ready-file.ts'
import { clientOf, form, sample } from '#test/support/client.ts'
import { descendantOf, listen } from '#test/support/processes.ts'
import { newToken } from '#test/support/tokens.ts'
import { runMien, startMien } from '#test/support/typed.ts'
import { temporaryFolder, temporaryPath } from '../../unit/core/folder.ts'

type Half = ReturnType<typeof startMien>

function start(half: 'core' | 'edge', args: string[], env: Record<string, string> = {}) {
  const started = startMien([half, ...args], env)
  onTestFinished(async () => {
    // SIGKILL would leave the workerd of an edge running.
    started.child.kill(half === 'edge' ? 'SIGTERM' : 'SIGKILL')
    await started.exited
  })
  return started
}

/** Polls the output until `words` matches; rejects with the output when the process ends before. */
async function saying({ child, said }: Half, words: RegExp) {
  for (;;) {
    const [, found] = words.exec(said()) ?? []
    if (found !== undefined) return found
    if (child.exitCode !== null) throw new Error(`It ended with ${child.exitCode}: ${said()}`)
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}

const portOfCore = (core: Half) => saying(core, /"event":"ready".*"port":(\d+)/)
const originOfEdge = (edge: Half) => saying(edge, /listens on (\S+),/)

async function secretFile() {
  const path = await temporaryPath('edge-secret')
  writeFileSync(path, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600 })
  return path
}

/** Sends half of a photo to an edge. `send` sends the rest, and `begun` is the answer. */
async function detecting(origin: string, token: string) {
  const photo = await sample(1)
  const headers = { 'content-type': 'image/jpeg', 'content-length': photo.length }
  const asked = request(`${origin}/v0/detect`, {
    method: 'POST',
    headers: { ...headers, authorization: `Token ${token}` },
  })
  const begun = once(asked, 'response').then(async ([response]) => ({
    status: response.statusCode,
    body: JSON.parse(await text(response)),
  }))
  const half = photo.length >> 1
  asked.write(photo.subarray(0, half))
  await once(asked, 'socket')
  // The edge accepts connections in their order.
  await fetch(`${origin}/healthz`)
  return { begun, send: () => asked.end(photo.subarray(half)) }
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
  it('serve together with a secret in a file; a stopped edge ends its requests, and refuses connections', async () => {
    const data = await temporaryFolder()
    const secret = { MIEN_EDGE_SECRET_FILE: await secretFile() }
    const core = start('core', ['--data', data, '--port', '0'], secret)
    const url = `http://127.0.0.1:${await portOfCore(core)}`
    const nowhere = join(data, 'nothing', 'here')
    const edge = start('edge', ['--core', url, '--port', '0', '--data', nowhere], secret)
    const [origin, token] = [await originOfEdge(edge), newToken(data, 'ann')]
    const enrolled = await clientOf(origin, token)('POST', '/v0/face', form({ photo: await sample(1) }))
    expect(enrolled.body.results).toHaveLength(1)

    const { begun, send } = await detecting(origin, token)
    edge.child.kill('SIGTERM')
    await expect.poll(() => letIn(origin)).toBe('ECONNREFUSED')
    send()
    expect(await begun).toMatchObject({ status: 200, body: { faces: { length: 3 } } })
    expect(await edge.exited).toMatchObject({ code: 0 })
    core.child.kill('SIGTERM')
    expect((await core.exited).code).toBe(0)
  })

  it('are not ready together when core does not accept the key of the edge', async () => {
    const edge = start('edge', ['--core', inject('core'), '--data', await temporaryFolder(), '--port', '0'], {
      MIEN_EDGE_SECRET_FILE: await secretFile(),
    })
    const asked = ['--data', inject('data'), '--edge', await originOfEdge(edge), '--json']
    const { status, stdout } = runMien(['status', ...asked])
    expect(status).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({
      state: 'degraded',
      core: { state: 'ready' },
      edge: { up: true, state: expect.stringContaining('compare the keys') },
    })
  })

  it('stop at once on a second signal', async () => {
    const args = ['--core', inject('core'), '--data', inject('data'), '--port', '0']
    const edge = start('edge', args)
    const origin = await originOfEdge(edge)
    const { begun } = await detecting(origin, inject('token'))
    const runtime = await descendantOf(edge.child.pid!, 'workerd serve')
    const cut = expect(begun).rejects.toThrow()
    edge.child.kill('SIGTERM')
    const again = setInterval(() => edge.child.kill('SIGTERM'), 200)
    expect((await edge.exited).code).toBe(1)
    clearInterval(again)
    await cut
    await expect.poll(() => isAlive(runtime)).toBe(false)
  })

  it('refuse an edge without a secret', async () => {
    const { said, code } = await start('edge', [], { MIEN_DATA: await temporaryFolder() }).exited
    expect(said).toContain('secrets.json is not there')
    expect(code).toBe(1)
  })

  it('report a port in use', async () => {
    const data = await temporaryFolder()
    const taken = createServer()
    onTestFinished(() => void taken.close())
    const port = String(await listen(taken))
    const secret = { MIEN_EDGE_SECRET_FILE: await secretFile() }
    const edge = start('edge', ['--port', port, '--data', data], secret)
    const { code, said } = await edge.exited
    expect(said).toContain(`http://127.0.0.1:${port} can't be listened on (EADDRINUSE).`)
    expect(code).toBe(1)
  })
})

/** Core as a process: start, refused starts, answers, and shutdown. */
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { REQUEST_LIMITS } from '#contract/limits/requests.ts'
import { tokenHash } from '#contract/model/token.ts'
import { type RpcOperation, type RpcRequest, rpcPath } from '#contract/operations/messages.ts'
import { decodeFrame, encodeFrame } from '#contract/rpc/frame.ts'
import { DRAINING_HEADER } from '#contract/rpc/message-headers.ts'
import { signedHeaders, signingKey } from '#contract/rpc/signature.ts'
import { SITE_FILE } from '#core/configuration/removed-features.ts'
import { openSecrets } from '#core/configuration/secrets.ts'
import { chipLabel } from '#core/embedding/label.ts'
import { createToken } from '#core/metadata/access/issue-tokens.ts'
import { STANDARD_PACK } from '#models/packs.ts'
import { OWNER } from '#test/support/sample-faces.ts'
import { serve } from '#test/support/servers/served.ts'
import { type Core, startCore } from '../../unit/core/core-process.ts'
import { temporaryFolder } from '../../unit/core/folder.ts'
import { edgeHeaders } from '../../unit/core/http/rpc/edge-headers.ts'

async function ask<V extends RpcOperation>(data: string, port: number, verb: V, request: RpcRequest<V>) {
  const body = encodeFrame(request)
  const path = rpcPath(verb)
  const key = await signingKey((await openSecrets(data)).edge[0].key)
  const signed = await signedHeaders(key, { method: 'POST', path, body }, Date.now())
  const headers = { ...signed, ...edgeHeaders(chipLabel(STANDARD_PACK)) }
  return fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body })
}

const headerOf = async (response: Response) =>
  decodeFrame(new Uint8Array(await response.arrayBuffer())).header

/** A request with two conflicting lengths of its body. */
const SMUGGLED =
  'POST /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'

describe('the process of core', { tags: 'long' }, () => {
  it('refuses malformed HTTP, a used data folder, a used port and removed variables; closes connections without complete headers within 20 seconds; stops without its parent', async () => {
    expect(REQUEST_LIMITS.headerArrivalMs + REQUEST_LIMITS.headerCheckMs).toBeLessThanOrEqual(20_000)
    const data = await temporaryFolder()
    const core = startCore(data)
    const port = await core.port
    const answerTo = async (bytes: string) => {
      const socket = connect(port, '127.0.0.1')
      socket.write(bytes)
      return text(socket)
    }
    const answers = Promise.all(
      ['GET /healthz HTTP/1.1\r\nHo', '', 'garbage\r\n\r\n', SMUGGLED].map(answerTo),
    )
    const [folder, traced] = [await temporaryFolder(), await temporaryFolder()]
    const refused = [
      { core: startCore(data), reason: 'Another process uses this data folder.' },
      {
        core: startCore(folder, { MIEN_CORE_PORT: String(port) }),
        reason: `Port ${port} of 127.0.0.1 is taken.`,
      },
      {
        core: startCore(traced, {
          OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
          OTEL_TRACES_SAMPLER: 'x',
          OTEL_SERVICE_NAME: 'x',
        }),
        reason: 'OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_TRACES_SAMPLER: core no longer exports traces.',
      },
    ]
    await Promise.all(
      refused.map(async ({ core, reason }) => {
        await expect(core.port).rejects.toThrow(reason)
        expect(await core.exit).toEqual([1, null])
      }),
    )
    const [half, silent, garbage, smuggled] = await answers
    for (const late of [half, silent]) expect(late).toMatch(/^HTTP\/1\.1 408 .*"code":"REQUEST_TIMEOUT"/s)
    for (const bad of [garbage, smuggled]) expect(bad).toMatch(/^HTTP\/1\.1 400 .*"code":"BAD_REQUEST"/s)
    core.child.disconnect()
    expect(await core.exit).toEqual([0, null])
  })

  it('answers calls for tokens that are created while it runs; counts two concurrent signals as one; removes the calibration of a site, and says so', async () => {
    const data = await temporaryFolder()
    await writeFile(join(data, SITE_FILE), '{}')
    const core = startCore(data)
    const output = text(core.child.stdout!)
    const port = await core.port
    await expect(fetch(`http://127.0.0.1:${port}/readyz`)).toAnswer(200)
    const token = await createToken({ data, owner: 'acme', name: '' })
    const answer = await ask(data, port, 'caller', { tokenHash: (await tokenHash(token))! })
    expect(await headerOf(answer)).toMatchObject({
      owner: expect.stringMatching(/^[0-9a-f]{24}$/),
      token: expect.stringMatching(/^[0-9a-f]{12}$/),
      gae: false,
    })
    core.child.kill('SIGINT')
    core.child.kill('SIGINT')
    expect(await core.exit).toEqual([0, null])
    expect(existsSync(join(data, SITE_FILE))).toBe(false)
    expect(await output).toContain('the table \\"default\\" of the pack')
  })

  it('answers 503 to new calls while it stops, after reading their bodies, and closes their connections', async () => {
    const { core, data, port, underway, answer } = await fetching()
    const stopping = said(core, '"stopping"')
    core.child.kill('SIGTERM')
    await stopping
    const [request, picture, post] = await Promise.all([
      ask(data, port, 'galleries.list', { owner: OWNER }),
      fetch(`http://127.0.0.1:${port}/pictures/0/1/thumbnail.jpg`),
      sentWhole(port, rpcPath('enrol'), 40 * 2 ** 20),
    ])
    for (const { status, headers } of [request, picture]) {
      expect(status).toBe(503)
      expect(headers.get(DRAINING_HEADER)).toBe('1')
      expect(headers.get('connection')).toBe('close')
    }
    expect(await headerOf(request)).toEqual({ code: 'SERVICE_UNAVAILABLE', detail: {} })
    expect(post.toLowerCase()).toContain(`${DRAINING_HEADER}: 1`)
    answer()
    const { status, headers } = await underway
    expect({ status, going: headers.get(DRAINING_HEADER) }).toEqual({ status: 200, going: null })
    expect(headers.get('connection')).toBe('close')
    expect(await core.exit).toEqual([0, null])
  })

  it('stops at once on a second signal a second later', async () => {
    const { core, port, underway } = await fetching()
    const cut = expect(underway).rejects.toThrow()
    core.child.kill('SIGTERM')
    await refusesConnections(port)
    const again = setInterval(() => core.child.kill('SIGTERM'), 200)
    expect(await core.exit).toEqual([1, null])
    clearInterval(again)
    await cut
  })
})

/** Resolves when the output contains the words. */
const said = ({ child }: Core, words: string): Promise<void> =>
  new Promise(resolve => child.stdout!.on('data', line => String(line).includes(words) && resolve()))

/** The answer to a POST whose client reads only after it has sent `bytes` bytes. */
async function sentWhole(port: number, path: string, bytes: number) {
  const socket = connect(port, '127.0.0.1')
  const sent = new Promise<void>((resolve, reject) => {
    socket.once('error', reject)
    socket.write(`POST ${path} HTTP/1.1\r\nhost: core\r\ncontent-length: ${bytes}\r\n\r\n`)
    socket.write(Buffer.alloc(bytes), () => resolve())
  })
  await sent
  return text(socket)
}

/** A core that waits for a photo, whose server answers on demand. */
async function fetching() {
  const [asked, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const photos = await serve((_, response) => {
    asked.resolve()
    void held.promise.then(() => response.end('a photo'))
  })
  const data = await temporaryFolder()
  const core = startCore(data, { MIEN_PHOTO_HOSTS: new URL(photos).host })
  const port = await core.port
  const underway = ask(data, port, 'photo.fetch', { owner: OWNER, url: `${photos}/a.jpg` })
  await asked.promise
  return { core, data, port, underway, answer: held.resolve }
}

/** Resolves once nothing listens on the port. */
const refusesConnections = (port: number) =>
  expect.poll(() => fetch(`http://127.0.0.1:${port}/healthz`).then(String, () => 'refused')).toBe('refused')

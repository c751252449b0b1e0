/** An HTTP server that answers as a test tells it, and keeps the requests. */
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { expect } from 'vitest'
import { MienClient } from '#clients/typescript/src/index.ts'
import { listen } from '#test/support/processes.ts'

export interface Asked {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: string
}

/** An answer, a connection that breaks, or a connection that stays silent. */
export type Reply =
  | { status?: number; headers?: Record<string, string>; body?: unknown }
  | 'break'
  | 'break off'
  | 'silence'

export interface ScriptedServer extends AsyncDisposable {
  client: MienClient
  url: string
  asked: Asked[]
}

export const TOKEN = 'mien_secret0token'

/** Answers the requests in this order, the further ones with the last. The client waits a millisecond before a retry. */
export async function scriptedServer(...replies: [Reply, ...Reply[]]): Promise<ScriptedServer> {
  const asked: Asked[] = []
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    const body = Buffer.concat(parts).toString('latin1')
    asked.push({ method: request.method!, path: request.url!, headers: request.headers, body })
    const reply = replies[Math.min(asked.length, replies.length) - 1]!
    if (reply === 'silence') return
    if (reply === 'break') return void request.socket.destroy()
    if (reply === 'break off') {
      response.writeHead(200, { 'content-length': 100 })
      return void response.write('{', () => request.socket.destroy())
    }
    response.writeHead(reply.status ?? 200, reply.headers)
    response.end(typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body ?? {}))
  })
  const url = `http://127.0.0.1:${await listen(server)}`
  return {
    client: new MienClient({ url, token: TOKEN, retryDelayMs: 1 }),
    url,
    asked,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

/** A refusal as the service writes it. */
export const refusal = (status: number, code: string | number, headers: Record<string, string> = {}) => ({
  status,
  headers: { 'x-request-id': 'r1', ...headers },
  body: { code, reason: `It is ${code}.`, request_id: 'r1' },
})

/** Expects a comparison with a person, leases without and with a picture, a clip, and a request of a picture. */
export function expectUploads(asked: readonly Asked[]): void {
  expect(asked.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'POST /v1/verify',
    'PUT /v1/camera/c/lease',
    'PUT /v1/camera/c/lease',
    'PUT /v1/face/id/7/clip',
    'GET /v1/camera/c/picture',
  ])
  const fields = asked.map(({ body }) => [...body.matchAll(/; name="(\w+)"/g)].map(([, name]) => name).sort())
  expect(fields).toEqual([['person_id', 'photo1', 'threshold'], [], ['picture', 'watcher'], ['clip'], []])
  expect(JSON.parse(asked[1]!.body)).toEqual({ watcher: 'hall' })
}

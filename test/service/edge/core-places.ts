/** What stands where cores should be, and what these are asked: for tests of who is asked when. */
import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { OWNER, TOKEN } from '../../../bench/harness/sample-faces.ts'
import { encodeFrame } from '../../../core/contract/rpc/frame.ts'
import { rpcPath } from '../../../core/contract/rpc/operations.ts'
import { coreClient } from '../../../edge/core-client/core-client.ts'

/** What stands where a core should be: it says that it is ready, and counts what else it is asked. */
export interface Place {
  url: string
  asked: string[]
  /** What was said besides. */
  headers: IncomingHttpHeaders[]
  looks: number
  behave: RequestListener
  ready: RequestListener
}

/** Answers with a frame. */
export const frame = (response: ServerResponse, status: number, header: unknown, headers = {}) =>
  void response.writeHead(status, headers).end(encodeFrame(header))

/** A core as it should be. */
export const well: RequestListener = ({ url }, response) => frame(response, 200, ANSWERS[url ?? ''] ?? {})

const ANSWERS: Record<string, object> = {
  [rpcPath('ready')]: {},
  [rpcPath('galleries.list')]: { galleries: [] },
  [rpcPath('gallery.create')]: { gallery: { name: 'new' } },
  [rpcPath('enrol')]: { faces: [] },
}

/** A place that behaves like that; it is gone with the test. */
export async function place(behave: RequestListener = well): Promise<Place> {
  const server = createServer((request, response) => {
    const isLook = request.url === rpcPath('ready')
    if (isLook) place.looks++
    request.resume().on('end', () => {
      if (!isLook) {
        place.asked.push(request.url ?? '')
        place.headers.push(request.headers)
      }
      const listener = isLook ? place.ready : place.behave
      listener(request, response)
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const place: Place = {
    url,
    asked: [],
    headers: [],
    looks: 0,
    behave,
    ready: well,
  }
  return place
}

/** An address at which nobody listens. */
export async function nowhere(): Promise<string> {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise(resolve => server.close(resolve))
  return `http://127.0.0.1:${port}`
}

export const SECRET = 'a secret of 32 letters or more ...'

export const client = (urls: string[], answerMs = 5_000, secrets: string[] = []) =>
  coreClient({
    cores: urls.map((url, i) => ({ url, secret: secrets[i] ?? SECRET })),
    answerMs,
    embedder: 'ours',
  })

export type Core = ReturnType<typeof client>

const CHANGING = { owner: OWNER, by: TOKEN }
const ENROLMENT = { ...CHANGING, photo: '', photoHash: '', meta: '', galleries: [], faces: [] }

export const QUESTIONS = {
  read: (core: Core) => core.call('galleries.list', { owner: OWNER }),
  change: (core: Core) => core.call('gallery.create', { ...CHANGING, gallery: 'new' }),
  enrolment: (core: Core) => core.call('enrol', ENROLMENT),
  'enrolment with a key': (core: Core) =>
    core.call('enrol', { ...ENROLMENT, idempotency: { key: 'k', requestHash: 'h' } }),
} as const

export type Kind = keyof typeof QUESTIONS

/** Until it is so: the test ends by its own time where it never is. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(20)
}

/** Stand-ins for cores that record which requests they get. */
import type { IncomingHttpHeaders, RequestListener, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { rpcPath } from '#contract/operations/messages.ts'
import { encodeFrame } from '#contract/rpc/frame.ts'
import { coreClient } from '#edge/core-client/core-client.ts'
import { freePort } from '#test/support/processes.ts'
import { OWNER, TOKEN } from '#test/support/sample-faces.ts'
import { serve } from '#test/support/servers/served.ts'

/** A stand-in for a core: it reports ready and records all other requests. */
export interface Place {
  url: string
  asked: string[]
  /** The request headers, in the same order. */
  headers: IncomingHttpHeaders[]
  probes: number
  /** Questions for the outcome of a change. */
  questions: number
  behave: RequestListener
  ready: RequestListener
  outcome: RequestListener
}

/** Answers with a frame. */
export const frame = (response: ServerResponse, status: number, header: unknown, headers = {}) =>
  void response.writeHead(status, headers).end(encodeFrame(header))

/** A healthy core. */
export const healthyCore: RequestListener = ({ url }, response) =>
  frame(response, 200, ANSWERS[pathOf(url)] ?? {})

/** Changes have a parameter in the query. */
const pathOf = (url = '') => url.split('?')[0]!

const ANSWERS: Record<string, object> = {
  [rpcPath('ready')]: {},
  [rpcPath('galleries.list')]: { galleries: [] },
  [rpcPath('gallery.create')]: { gallery: { name: 'new' } },
  [rpcPath('enrol')]: { faces: [] },
}

/** Starts a stand-in with this behaviour; it stops with the test. */
export async function startPlace(behave: RequestListener = healthyCore): Promise<Place> {
  const url = await serve((request, response) => {
    const path = pathOf(request.url)
    request.resume().on('end', () => {
      if (path === rpcPath('ready')) {
        place.probes++
        return place.ready(request, response)
      }
      if (path === rpcPath('change.outcome')) {
        place.questions++
        return place.outcome(request, response)
      }
      place.asked.push(path)
      place.headers.push(request.headers)
      return place.behave(request, response)
    })
  })
  const place: Place = {
    url,
    asked: [],
    headers: [],
    probes: 0,
    questions: 0,
    behave,
    ready: healthyCore,
    outcome: outcome('unknown'),
  }
  return place
}

/** A core that tells the outcome of each change: this answer of this change. */
export const outcome =
  (outcome: string, status?: number, answer?: object): RequestListener =>
  (_, response) =>
    void response.end(encodeFrame({ outcome, status }, answer ? [encodeFrame(answer)] : []))

/** An address where nothing listens. */
export const nowhere = async (): Promise<string> => `http://127.0.0.1:${await freePort()}`

export const SECRET = 'a secret of 32 letters or more ...'

export const client = (urls: string[], answerMs = 5_000, secrets: string[] = []) =>
  coreClient({
    cores: urls.map((url, i) => ({ url, secret: secrets[i] ?? SECRET })),
    answerMs,
    changeMs: answerMs,
    embedder: 'ours',
  })

type Core = ReturnType<typeof client>

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

/** Polls until the condition holds; the test's own time limit ends it otherwise. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(20)
}

/** Clients that post, identify and list faces, with failover between entry points, and a ledger of all responses. */

import { setTimeout as sleep } from 'node:timers/promises'
import { type Face, MienClient } from '#clients/typescript/src/index.ts'
import { type Answered, clientOf, form, type Send } from '#test/support/client.ts'
import { distinct, type Person, people } from '#test/support/photos/people.ts'
import { times } from '#test/support/times.ts'
import { callers } from '../../load.ts'

/** One request and its outcome. */
export interface Try {
  /** Time of the response, in seconds since the load began. */
  at: number
  ms: number
  /** 0 without a response. */
  status: number
  /** Reason of a missing response. */
  why?: string
  /** The response tells when to try again. */
  hasRetryAfter: boolean
  /** The response shows a meta of another owner. */
  isForeign: boolean
}

/** One enrolment, retried under its key until it is acknowledged or rejected. The key is also its meta. */
export interface Post {
  key: string
  owner: string
  person: string
  tries: Try[]
  /** The acknowledged face; absent without an acknowledgement. */
  face?: { id: number; person: number }
}

export interface Ledger {
  posts: Post[]
  /** Identifications and lists. */
  others: Try[]
}

interface LoadOptions {
  /** Origins of a proxy or of edges. */
  doors: readonly string[]
  newToken(owner: string): string
  callers: number
  /** Requests per second of all callers together. */
  rate: number
  /** Expected length of the load. */
  seconds: number
}

interface Load {
  ledger: Ledger
  /** Seconds since the load began. */
  now(): number
  /** Starts no further requests. Resolves with all faces by owner, when begun enrolments are acknowledged or given up. */
  stop(): Promise<Map<string, Face[]>>
}

/** Concurrent posts of one person by several callers. */
const AT_ONCE = 3
const RETRY_MS = 300
/** A request without a response after this time counts as unanswered. Greater than the edge's deadline. */
const HANG_MS = 60_000
/** Time for begun enrolments at the end of the load. */
const PATIENCE_MS = 60_000
/** Seconds per owner. Each owner begins without known persons, which causes many first posts. */
const OWNER_SECONDS = 20

/** Whether a value of the field `meta` in the body belongs to none but another owner. */
function showsOther(body: unknown, owner: string): boolean {
  if (Array.isArray(body)) return body.some(item => showsOther(item, owner))
  if (typeof body !== 'object' || body === null) return false
  return Object.entries(body).some(([name, value]) =>
    name === 'meta' && typeof value === 'string' && value !== ''
      ? !value.startsWith(`${owner}-`)
      : showsOther(value, owner),
  )
}

export async function startLoad({
  doors,
  newToken,
  callers: count,
  rate,
  seconds,
}: LoadOptions): Promise<Load> {
  const finder = clientOf(doors[0]!, newToken('finder'))
  const faces = await distinct(await people(finder), finder)
  const owners = times(Math.ceil(seconds / OWNER_SECONDS) + 1, i => `owner${i}`)
  const tokens = new Map(owners.map(owner => [owner, newToken(owner)]))
  const ledger: Ledger = { posts: [], others: [] }
  const began = performance.now()
  const now = () => (performance.now() - began) / 1000
  let isStopped = false
  let givesUpAt = Number.POSITIVE_INFINITY

  /** Sends a request and records the outcome. Entry points rotate; the next attempt uses another one. */
  const ask = async (tries: Try[], owner: string, turn: number, send: (api: Send) => Promise<Answered>) => {
    const sent = performance.now()
    const api = clientOf(doors[turn % doors.length]!, tokens.get(owner)!, HANG_MS)
    const answer = await send(api).catch((error: Error) => error)
    const basics = { at: now(), ms: performance.now() - sent }
    if (answer instanceof Error) {
      tries.push({ ...basics, status: 0, why: reasonOf(answer), hasRetryAfter: false, isForeign: false })
      return undefined
    }
    const { status, headers, body } = answer
    const hasRetryAfter = headers.has('retry-after')
    tries.push({ ...basics, status, hasRetryAfter, isForeign: showsOther(body, owner) })
    return answer
  }

  const post = async (turn: number, owner: string, person: Person) => {
    const key = `${owner}-post-${ledger.posts.length}`
    const kept: Post = { key, owner, person: person.name, tries: [] }
    ledger.posts.push(kept)
    const photo = person.photos[ledger.posts.length % person.photos.length]!
    for (let i = turn; !kept.face && performance.now() < givesUpAt; i++) {
      const answer = await ask(kept.tries, owner, i, api =>
        api('POST', '/v0/face', form({ photo, meta: key }), { 'idempotency-key': key }),
      )
      const face = answer?.status === 200 ? answer.body.results[0] : undefined
      if (face) kept.face = { id: face.id, person: face.person_id }
      else if (answer && answer.status >= 400 && answer.status < 500 && answer.status !== 429) return
      else await sleep(RETRY_MS)
    }
  }

  const call = async (caller: number, turn: number) => {
    const owner = owners[Math.floor(now() / OWNER_SECONDS) % owners.length]!
    const person = faces[Math.floor(ledger.posts.length / AT_ONCE) % faces.length]!
    const kind = (caller + turn) % 3
    if (kind === 0) await post(caller + turn, owner, person)
    else
      await ask(ledger.others, owner, caller + turn, api =>
        kind === 1
          ? api('POST', '/v0/identify', form({ photo: person.photos[0]! }))
          : api('GET', '/v0/faces'),
      )
  }

  const calling = callers(count, () => isStopped, call, rate)
  return {
    ledger,
    now,
    async stop() {
      isStopped = true
      givesUpAt = performance.now() + PATIENCE_MS
      await calling
      const kept = new Map<string, Face[]>()
      for (const [owner, token] of tokens)
        kept.set(owner, await new MienClient({ url: doors[0]!, token }).faces.list().toArray())
      return kept
    },
  }
}

const reasonOf = ({ name, cause }: Error) => (cause as { code?: string } | undefined)?.code ?? name

/**
 * Clients that post and identify faces in a loop, with failover between entry points, and a ledger of all responses.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Answered, clientOf, form } from '../../harness/client.ts'
import type { Person } from './people.ts'

/** One request and its outcome. */
export interface Try {
  /** Time of the response, in seconds since the load began. */
  at: number
  ms: number
  /** 0 without a response. */
  status: number
  /** Reason of a missing response. */
  why?: string
}

/** One enrolment, retried under its key until it is acknowledged or rejected. */
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
  identifies: Try[]
}

export interface Load {
  /** Origins of a proxy or of edges. */
  doors: readonly string[]
  people: readonly Person[]
  /** Used one after the other: each starts without known persons. */
  owners: readonly { name: string; token: string }[]
  secondsEach: number
  callers: number
  /** Requests per second of all callers together. */
  rate: number
}

/** Concurrent posts of one person by several callers. */
const AT_ONCE = 3
const RETRY_MS = 300
/** Timeout: a slower request counts as unanswered. */
const HANG_MS = 60_000

export interface Callers {
  ledger: Ledger
  /** Seconds since the load began. */
  now(): number
  /** Starts no further requests. Resolves when all begun enrolments are acknowledged. */
  stop(): Promise<void>
}

export function startCallers(load: Load): Callers {
  const ledger: Ledger = { posts: [], identifies: [] }
  const began = performance.now()
  const now = () => (performance.now() - began) / 1000
  let isStopped = false

  /** Sends a request and records the outcome. Entry points rotate; the next attempt uses another one. */
  const ask = async (tries: Try[], turn: number, send: (door: string) => Promise<Answered>) => {
    const sent = performance.now()
    const door = load.doors[turn % load.doors.length]!
    const answer = await send(door).catch((error: Error) => ({ status: 0, why: reasonOf(error) }))
    const { status } = answer
    tries.push({
      at: now(),
      ms: performance.now() - sent,
      status,
      ...('why' in answer && { why: answer.why }),
    })
    return 'body' in answer ? answer : undefined
  }

  const post = async (caller: number, owner: Load['owners'][number], person: Person): Promise<void> => {
    const key = `post-${ledger.posts.length}`
    const kept: Post = { key, owner: owner.name, person: person.name, tries: [] }
    ledger.posts.push(kept)
    const photo = person.photos[ledger.posts.length % person.photos.length]!
    for (let turn = caller; !kept.face; turn++) {
      const answer = await ask(kept.tries, turn, door =>
        sending(door, owner.token)('POST', '/v0/face', form({ photo, meta: key }), {
          'idempotency-key': key,
        }),
      )
      if (answer && answer.status >= 400 && answer.status < 500) return
      const face = answer?.status === 200 ? answer.body.results[0] : undefined
      if (face) kept.face = { id: face.id, person: face.person_id }
      else await sleep(RETRY_MS)
    }
  }

  const call = async (caller: number): Promise<void> => {
    await sleep((caller * 1000) / load.rate)
    while (!isStopped) {
      const next = performance.now() + (1000 * load.callers) / load.rate
      const owner = load.owners[Math.floor(now() / load.secondsEach) % load.owners.length]!
      const person = load.people[Math.floor(ledger.posts.length / AT_ONCE) % load.people.length]!
      const photo = person.photos[0]!
      if (caller % 2 === 0) await post(caller, owner, person)
      else
        await ask(ledger.identifies, caller, door =>
          sending(door, owner.token)('POST', '/v0/identify', form({ photo })),
        )
      await sleep(Math.max(0, next - performance.now()))
    }
  }

  const calling = Promise.all(Array.from({ length: load.callers }, (_, caller) => call(caller)))
  return {
    ledger,
    now,
    async stop() {
      isStopped = true
      await calling
    },
  }
}

const reasonOf = ({ name, cause }: Error): string => (cause as { code?: string } | undefined)?.code ?? name

/** A client with a timeout. */
const sending = (door: string, token: string) => clientOf(door, token, HANG_MS)

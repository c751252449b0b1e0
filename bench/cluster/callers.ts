/** Clients that post faces and ask who they are, over and over, each by whichever door answers; and all that they were told. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Answered, clientOf, form } from '../../test/client.ts'
import type { Person } from './people.ts'

/** One request and its answer. */
export interface Try {
  /** Seconds since the load began, when it was answered. */
  at: number
  ms: number
  /** 0 when no answer came. */
  status: number
  /** Why there was none. */
  why?: string
}

/** One enrolment, repeated under its key until it was acknowledged, or refused as wrong. */
export interface Post {
  key: string
  owner: string
  person: string
  tries: Try[]
  /** What the acknowledgement said; absent when none came. */
  face?: { id: number; person: number }
}

export interface Ledger {
  posts: Post[]
  identifies: Try[]
}

export interface Load {
  /** Origins: of a proxy, or of edges. */
  doors: readonly string[]
  people: readonly Person[]
  /** In turn: each is a fresh start, with nobody known. */
  owners: readonly { name: string; token: string }[]
  secondsEach: number
  callers: number
  /** Requests a second of all callers together. */
  rate: number
}

/** Posts of one person that come at about the same time, from several callers. */
const AT_ONCE = 3
const RETRY_MS = 300
/** Nothing may take longer: it counts as an answer that never came. */
const HANG_MS = 60_000

export interface Callers {
  ledger: Ledger
  /** Seconds since the load began. */
  now(): number
  /** Nothing new is begun; settles when what was begun is acknowledged. */
  stop(): Promise<void>
}

export function startCallers(load: Load): Callers {
  const ledger: Ledger = { posts: [], identifies: [] }
  const began = performance.now()
  const now = () => (performance.now() - began) / 1000
  let isStopped = false

  /** Counts what comes back; doors take turns, and who had no luck with one asks the next. */
  const ask = async (tries: Try[], turn: number, send: (door: string) => Promise<Answered>) => {
    const asked = performance.now()
    const door = load.doors[turn % load.doors.length]!
    const answer = await send(door).catch((error: Error) => ({ status: 0, why: reasonOf(error) }))
    const { status } = answer
    tries.push({
      at: now(),
      ms: performance.now() - asked,
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

/** A client that gives up on what hangs. */
const sending = (door: string, token: string) => clientOf(door, token, HANG_MS)

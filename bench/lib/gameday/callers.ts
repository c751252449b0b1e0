/** Constant load of two owners: enrolments with unique metas, identifications and lists. Records each response. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Answered, clientOf, form } from '../../harness/client.ts'
import type { Post, Try } from '../cluster/callers.ts'
import type { Owner } from '../cluster/load.ts'
import type { Person } from '../cluster/people.ts'

/** A request, with what the common verdict needs of its response. */
export interface GameTry extends Try {
  /** The response tells when to try again. */
  hasRetryAfter: boolean
  /** The response shows a meta of another owner. */
  isForeign: boolean
}

export interface GameLedger {
  posts: (Post & { tries: GameTry[] })[]
  others: GameTry[]
}

export interface GameLoad {
  doors: readonly string[]
  people: readonly Person[]
  owners: readonly Owner[]
  callers: number
  /** Requests per second of all callers together. */
  rate: number
}

export interface GameCallers {
  ledger: GameLedger
  /** Seconds since the load began. */
  now(): number
  /** Adds callers at the rate of the others. Returns the function that ends them. */
  crowd(count: number): () => void
  /** Starts no further requests. Resolves when each begun enrolment is acknowledged, or after `PATIENCE_MS`. */
  stop(): Promise<void>
}

const RETRY_MS = 500
/** A request without a response after this time counts as unanswered. Greater than the edge's deadline. */
const HANG_MS = 150_000
/** Time for begun enrolments at the end of the load. */
const PATIENCE_MS = 60_000

/** The meta of an enrolment names its owner. */
const metaOf = (owner: Owner, number: number): string => `${owner.name}-post-${number}`

/** Whether a value of the field `meta` in the body belongs to none but another owner. */
export function showsOther(body: unknown, owner: string): boolean {
  if (Array.isArray(body)) return body.some(item => showsOther(item, owner))
  if (typeof body !== 'object' || body === null) return false
  return Object.entries(body).some(([name, value]) =>
    name === 'meta' && typeof value === 'string' && value !== ''
      ? !value.startsWith(`${owner}-`)
      : showsOther(value, owner),
  )
}

export function startGameCallers(load: GameLoad): GameCallers {
  const ledger: GameLedger = { posts: [], others: [] }
  const began = performance.now()
  const now = () => (performance.now() - began) / 1000
  let isStopped = false
  let givesUpAt = Number.POSITIVE_INFINITY

  const ask = async (
    tries: GameTry[],
    { name, token }: Owner,
    turn: number,
    send: (api: ReturnType<typeof clientOf>) => Promise<Answered>,
  ): Promise<Answered | undefined> => {
    const sent = performance.now()
    const api = clientOf(load.doors[turn % load.doors.length]!, token, HANG_MS)
    const answer = await send(api).catch((error: Error) => error)
    const basics = { at: now(), ms: performance.now() - sent }
    if (answer instanceof Error) {
      tries.push({ ...basics, status: 0, why: reasonOf(answer), hasRetryAfter: false, isForeign: false })
      return undefined
    }
    const { status, headers, body } = answer
    const hasRetryAfter = headers.has('retry-after')
    tries.push({ ...basics, status, hasRetryAfter, isForeign: showsOther(body, name) })
    return answer
  }

  const post = async (turn: number, owner: Owner, person: Person): Promise<void> => {
    const key = metaOf(owner, ledger.posts.length)
    const kept: GameLedger['posts'][number] = { key, owner: owner.name, person: person.name, tries: [] }
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

  const call = async (caller: number, isOver: () => boolean): Promise<void> => {
    const pause = (1000 * load.callers) / load.rate
    await sleep((caller * pause) / load.callers)
    for (let turn = caller; !isOver(); turn++) {
      const next = performance.now() + pause
      const owner = load.owners[Math.floor(turn / 3) % load.owners.length]!
      const person = load.people[turn % load.people.length]!
      if (turn % 3 === 0) await post(turn, owner, person)
      else if (turn % 3 === 1)
        await ask(ledger.others, owner, turn, api =>
          api('POST', '/v0/identify', form({ photo: person.photos[0]! })),
        )
      else await ask(ledger.others, owner, turn, api => api('GET', '/v0/faces'))
      await sleep(Math.max(0, next - performance.now()))
    }
  }

  const calling = Array.from({ length: load.callers }, (_, caller) => call(caller, () => isStopped))
  return {
    ledger,
    now,
    crowd(count) {
      let isOver = false
      for (let caller = 0; caller < count; caller++) calling.push(call(caller, () => isOver || isStopped))
      return () => {
        isOver = true
      }
    },
    async stop() {
      isStopped = true
      givesUpAt = performance.now() + PATIENCE_MS
      await Promise.all(calling)
    },
  }
}

const reasonOf = ({ name, cause }: Error): string => (cause as { code?: string } | undefined)?.code ?? name

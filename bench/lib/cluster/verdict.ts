/** Checks a cluster after faults: acknowledged data that is lost, doubled or split, and the time to recovery. */
import { clientOf } from '../../harness/client.ts'
import type { Ledger, Post, Try } from './callers.ts'

/** A face as the service lists it after the run. */
export interface Kept {
  id: number
  meta: string
  person: number
}

export interface Verdict {
  posts: number
  acknowledged: number
  /** Acknowledged faces that do not exist. */
  lost: number
  /** Posts with more than one face, or with another face than acknowledged. */
  doubled: number
  /** People of one owner with several person numbers. */
  split: number
}

/** All listed faces of an owner. */
export async function listed(edge: string, token: string): Promise<Kept[]> {
  const send = clientOf(edge, token)
  const kept: Kept[] = []
  for (let path: string | null = '/v0/faces'; path; ) {
    const { status, body } = await send('GET', path)
    if (status !== 200) throw new Error(`${path} was answered with ${status}.`)
    kept.push(
      ...body.results.map(({ id, meta, person_id }: { id: number; meta: string; person_id: number }) => ({
        id,
        meta,
        person: person_id,
      })),
    )
    path = body.next_page
  }
  return kept
}

export function verdict(ledger: Ledger, kept: ReadonlyMap<string, readonly Kept[]>): Verdict {
  const facesOf = (post: Post) => (kept.get(post.owner) ?? []).filter(({ meta }) => meta === post.key)
  const acknowledged = ledger.posts.filter(({ face }) => face)
  const persons = new Map<string, Set<number>>()
  for (const post of ledger.posts) {
    const name = `${post.owner} ${post.person}`
    const numbers = persons.get(name) ?? new Set()
    for (const { person } of facesOf(post)) numbers.add(person)
    persons.set(name, numbers)
  }
  const isDoubled = (post: Post) => {
    const faces = facesOf(post)
    return faces.length > 1 || (post.face && faces[0] && faces[0].id !== post.face.id)
  }
  return {
    posts: ledger.posts.length,
    acknowledged: acknowledged.length,
    lost: acknowledged.filter(post => facesOf(post).length === 0).length,
    doubled: ledger.posts.filter(isDoubled).length,
    split: [...persons.values()].filter(numbers => numbers.size > 1).length,
  }
}

/** Number of requests by status, or by the reason of a missing response. */
export function answersOf(tries: readonly Try[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { status, why } of tries) {
    const answer = why ?? String(status)
    counts[answer] = (counts[answer] ?? 0) + 1
  }
  return counts
}

export const triesOf = ({ posts, identifies }: Ledger): Try[] => [
  ...posts.flatMap(({ tries }) => tries),
  ...identifies,
]

/** Seconds from a repair to the last failed or missing response before `until`; 0 without one. */
export function disturbedFor(tries: readonly Try[], repaired: number, until: number): number {
  const bad = tries.filter(({ at, status }) => status !== 200 && at > repaired && at <= until)
  return bad.length === 0 ? 0 : Math.max(...bad.map(({ at }) => at)) - repaired
}

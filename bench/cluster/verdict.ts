/** What a cluster is told by its faults: whether anything acknowledged was lost, doubled or split, and how soon all was well. */
import { clientOf } from '../../test/client.ts'
import type { Ledger, Post, Try } from './callers.ts'

/** A face as the service lists it in the end. */
export interface Kept {
  id: number
  meta: string
  person: number
}

export interface Verdict {
  posts: number
  acknowledged: number
  /** Acknowledged, and not there. */
  lost: number
  /** Posts of which there is more than one face, or another one than was told. */
  doubled: number
  /** Persons, of one owner, who have several numbers. */
  split: number
}

/** Of each owner all that is listed. */
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
  const photoAnalyzer = (post: Post) => (kept.get(post.owner) ?? []).filter(({ meta }) => meta === post.key)
  const acknowledged = ledger.posts.filter(({ face }) => face)
  const persons = new Map<string, Set<number>>()
  for (const post of ledger.posts) {
    const name = `${post.owner} ${post.person}`
    const numbers = persons.get(name) ?? new Set()
    for (const { person } of photoAnalyzer(post)) numbers.add(person)
    persons.set(name, numbers)
  }
  const isDoubled = (post: Post) => {
    const faces = photoAnalyzer(post)
    return faces.length > 1 || (post.face && faces[0] && faces[0].id !== post.face.id)
  }
  return {
    posts: ledger.posts.length,
    acknowledged: acknowledged.length,
    lost: acknowledged.filter(post => photoAnalyzer(post).length === 0).length,
    doubled: ledger.posts.filter(isDoubled).length,
    split: [...persons.values()].filter(numbers => numbers.size > 1).length,
  }
}

/** Requests by the status that they were answered with, or by why they were not. */
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

/** Seconds from a repair to the last answer before `until` that was none, or no good one; 0 when there was no such. */
export function disturbedFor(tries: readonly Try[], repaired: number, until: number): number {
  const bad = tries.filter(({ at, status }) => status !== 200 && at > repaired && at <= until)
  return bad.length === 0 ? 0 : Math.max(...bad.map(({ at }) => at)) - repaired
}

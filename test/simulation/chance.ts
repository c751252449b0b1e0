/** Random choices that a seed repeats. */
import { seededRandom } from '#core/vector-store/index/seeded-random.ts'

export interface Chance {
  /** 0..1, without 1. */
  next(): number
  /** An integer from 0 to `count` - 1. */
  below(count: number): number
  /** True with this probability. */
  is(probability: number): boolean
  of<Item>(items: readonly Item[]): Item
  uuid(): string
}

export function seeded(seed: number): Chance {
  const next = seededRandom(Math.imul(seed, 0x9e3779b1))
  const below = (count: number): number => Math.floor(next() * count)
  const hex = (digits: number): string =>
    Array.from({ length: digits }, () => below(16).toString(16)).join('')
  return {
    next,
    below,
    is: probability => probability > 0 && next() < probability,
    of: items => items[below(items.length)]!,
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`,
  }
}

/** Searches while shards of the store are unavailable. */
import { expect, it } from 'vitest'
import { requireShards } from '#core/operations/search/required-shards.ts'

it.each([
  { live: 4, total: 4, strict: true, allowed: true },
  { live: 3, total: 4, strict: true, allowed: false },
  { live: 3, total: 4, strict: false, allowed: true },
  { live: 0, total: 4, strict: false, allowed: false },
  { live: 0, total: 4, strict: true, allowed: false },
])(
  'requireShards with $live of $total live shards and strict $strict allows the search: $allowed',
  ({ live, total, strict, allowed }) => {
    const search = () => requireShards({ live, total }, strict)
    if (allowed) expect(search).not.toThrow()
    else expect(search).toThrow(expect.objectContaining({ name: 'StoreUnavailable', why: 'away' }))
  },
)

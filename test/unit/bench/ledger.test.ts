/** The verdict of `npm run bench -- camera-faults`: what counts as lost, repeated, or under two ids. */
import { expect, it } from 'vitest'
import { openLedger } from '#bench/lib/cameras/ledger.ts'

/** A face that has arrived everywhere once. */
function arrived(face: number) {
  const ledger = openLedger(() => 1_000)
  ledger.acknowledge(face, 'core')
  ledger.deliver('webhooks', face, 'a')
  ledger.deliver('messages', face, 'b')
  return ledger
}

it('an event that is stored and has arrived everywhere is sound, also when it is repeated', () => {
  const ledger = arrived(1)
  ledger.deliver('webhooks', 1, 'a')
  expect(ledger.hasArrivedSince(1_000)).toBe(true)
  expect(ledger.hasArrivedSince(1_001)).toBe(false)
  expect(ledger.counts('core', new Set([1]))).toEqual({ events: 1, lost: 0, underTwoIds: 0, repeated: 1 })
  expect(ledger.counts('broker', new Set([1])).events).toBe(0)
})

it('an event that the history, the receiver or the broker lacks is lost', () => {
  expect(arrived(1).counts('core', new Set())).toMatchObject({ lost: 1 })
  for (const way of ['webhooks', 'messages'] as const) {
    const ledger = openLedger()
    ledger.acknowledge(1, 'core')
    ledger.deliver(way, 1, 'a')
    expect(ledger.missing()).toBe(1)
    expect(ledger.counts('core', new Set([1]))).toMatchObject({ lost: 1 })
  }
})

it('an event under another id of a webhook or a message counts', () => {
  for (const way of ['webhooks', 'messages'] as const) {
    const ledger = arrived(1)
    ledger.deliver(way, 1, 'c')
    expect(ledger.counts('core', new Set([1]))).toMatchObject({ underTwoIds: 1, lost: 0 })
  }
})

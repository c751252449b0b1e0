/** Advice in core's log when it rejects an edge. */
import { expect, it } from 'vitest'
import { RPC_LIMITS } from '#contract/limits/rpc.ts'
import { rejectionLog } from '#core/http/rpc/rejection-log.ts'
import type { Facts } from '#core/log.ts'

it('rejectionLog logs each rejection, and the advice per reason once per RPC_LIMITS.trustAdviceMs', () => {
  const lines: ({ event: string } & Facts)[] = []
  let at = 0
  const tell = rejectionLog(
    (event, facts) => lines.push({ event, ...facts }),
    () => at,
  )
  for (let i = 0; i < 3; i++) tell('unknown key')
  tell('clock')
  tell('no stamp')
  expect(lines).toEqual([
    {
      event: 'signature rejected',
      why: 'unknown key',
      advice: expect.stringContaining('mien secrets show edge'),
    },
    { event: 'signature rejected', why: 'unknown key' },
    { event: 'signature rejected', why: 'unknown key' },
    { event: 'signature rejected', why: 'clock', advice: expect.stringContaining('clocks') },
    { event: 'signature rejected', why: 'no stamp' },
  ])
  at = RPC_LIMITS.trustAdviceMs
  tell('unknown key')
  expect(lines.at(-1)).toHaveProperty('advice')
})

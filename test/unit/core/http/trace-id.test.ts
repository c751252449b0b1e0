/** The trace id of a request in the log of core. */
import { expect, it, onTestFinished } from 'vitest'
import { TRACEPARENT } from '#contract/trace-context.ts'
import type { VectorStore } from '#core/vector-store/vector-store.ts'
import { serveStore } from './served.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'

it('is that of a valid header, and absent for any other text', async () => {
  const { origin, lines, close } = await serveStore({ galleries: async () => [] } as unknown as VectorStore)
  onTestFinished(close)
  for (const traceparent of [`00-${TRACE}-00f067aa0ba902b7-01`, 'somebody'])
    await fetch(`${origin}/stat/list/1/1`, { headers: { [TRACEPARENT]: traceparent } })
  expect(lines.map(({ trace_id }) => trace_id)).toEqual([TRACE, undefined])
})

/** An edge whose core does not trust it logs the cause and the remedy. */
import { describe, expect, inject, it } from 'vitest'
import { RPC_LIMITS } from '#contract/limits/rpc.ts'
import { trustLog } from '#edge/core-client/trust-log.ts'
import { startLoggedEdge } from '../logged-edge.ts'

describe('trustLog', () => {
  it('logs each core and cause at most once per RPC_LIMITS.trustAdviceMs', () => {
    const written: Record<string, unknown>[] = []
    let at = 0
    const tell = trustLog(
      entry => written.push(entry),
      () => at,
    )
    for (let i = 0; i < 100; i++) tell('http://one:8788', 'signature')
    tell('http://two:8788', 'signature')
    tell('http://one:8788', 'certificate')
    expect(written).toMatchObject([
      {
        event: 'core not trusted',
        core: 'one:8788',
        why: 'signature',
        advice: expect.stringContaining('EDGE_SECRET'),
      },
      { core: 'two:8788', why: 'signature' },
      { core: 'one:8788', why: 'certificate', advice: expect.stringContaining('certificate') },
    ])
    at = RPC_LIMITS.trustAdviceMs
    tell('http://one:8788', 'signature')
    expect(written).toHaveLength(4)
  })
})

describe('an edge with a wrong secret', { tags: 'long' }, () => {
  it('is reported once with advice in the log of the edge', async () => {
    const edge = await startLoggedEdge({
      MIEN_EDGE_SECRET: 'not the secret of that core, but as long as one',
    })
    for (let i = 0; i < 5; i++) {
      const refused = await fetch(`${edge.origin}/v0/faces`, {
        headers: { authorization: `Token ${inject('token')}` },
      })
      expect(refused.status).toBe(503)
    }
    const told = () => edge.lines().filter(({ event }) => event === 'core not trusted')
    await expect.poll(told).toMatchObject([
      {
        core: new URL(inject('core')).host,
        why: 'signature',
        advice: expect.stringContaining('secrets show edge'),
      },
    ])
  })
})

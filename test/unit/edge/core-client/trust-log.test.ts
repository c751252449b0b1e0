/** An edge whose core does not trust it logs the cause and the remedy. */
import { RPC_LIMITS } from '#contract/limits/rpc.ts'
import { trustLog } from '#edge/core-client/trust-log.ts'

it('trustLog logs each core and cause at most once per RPC_LIMITS.trustAdviceMs', () => {
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

/** Measures the cost of core's replay protection, which remembers every signed request. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { LIMITS } from '#contract/limits.ts'
import { Nonces } from '#core/http/rpc/nonces.ts'
import { fixed, type Outcome, table } from '../benchmark.ts'

export const description = 'replay protection: bytes and time per signed request, at a steady rate'

export const options = { rate: { type: 'string' } } as const

/** Requests per second. */
const RATE = 2_000

export async function run({ rate: given }: { rate?: string }): Promise<Outcome> {
  const rate = Number(given ?? RATE)
  const seconds = LIMITS.signatureWindowMs / 1_000
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  const made = Array.from({ length: rate * seconds }, () => crypto.randomUUID().replaceAll('-', ''))
  const nonces = new Nonces(0)
  collect()
  const before = process.memoryUsage().arrayBuffers
  const began = performance.now()
  const accepted = made.filter(
    (nonce, i) => nonces.remember(nonce, (i * 1_000) / rate, (i * 1_000) / rate) === 'new',
  )
  const microseconds = ((performance.now() - began) * 1_000) / made.length
  collect()
  const bytes = process.memoryUsage().arrayBuffers - before
  if (accepted.length !== made.length || !nonces.remembers(0)) throw new Error('not all of them were heard')
  const figures = {
    requests: made.length,
    megabytes: bytes / 2 ** 20,
    bytes: bytes / made.length,
    microseconds,
  }
  return {
    table: table([
      ['requests remembered', 'MB', 'bytes each', 'microseconds each'],
      [String(made.length), fixed(figures.megabytes, 1), fixed(figures.bytes, 1), fixed(microseconds, 2)],
    ]),
    result: { figures },
  }
}

/** Measures the cost of core's replay protection, which remembers every signed request. */
import { LIMITS } from '#contract/limits.ts'
import { Nonces } from '#core/http/rpc/nonces.ts'
import { benchmark } from '../benchmark.ts'
import { collectGarbage } from '../harness/wasm-memories.ts'
import { fixed, timed } from '../statistics.ts'

export default benchmark({
  description: 'replay protection: bytes and time per signed request, at a steady rate',
  options: {
    /** Requests per second. */
    rate: 2_000,
  },
  async run({ rate }) {
    const seconds = LIMITS.signatureWindowMs / 1_000
    const made = Array.from({ length: rate * seconds }, () => crypto.randomUUID().replaceAll('-', ''))
    const nonces = new Nonces(0)
    await collectGarbage()
    const before = process.memoryUsage().arrayBuffers
    const ms = await timed(() => {
      for (const [i, nonce] of made.entries()) {
        const at = (i * 1_000) / rate
        if (nonces.remember(nonce, at, at) !== 'new') throw new Error('A request was taken for a replay.')
      }
    })
    await collectGarbage()
    const bytes = process.memoryUsage().arrayBuffers - before
    if (!nonces.remembers(0)) throw new Error('The first request is forgotten.')
    return {
      requests: made.length,
      megabytes: fixed(bytes / 2 ** 20),
      bytesEach: fixed(bytes / made.length),
      microsecondsEach: fixed((ms * 1_000) / made.length, 2),
    }
  },
})

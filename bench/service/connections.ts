/** Measures whether callers are answered beside connections of one address that send headers a byte at a time and no request. */
import { request } from 'node:http'
import { benchmark, progress } from '../benchmark.ts'
import { holdConnections } from '../load.ts'
import { fixed, median, quantile } from '../statistics.ts'

/** Addresses of loopback. */
const HOSTILE = '127.0.0.2'
const CALLERS = { otherAddress: '127.0.0.3', sameAddress: HOSTILE }

/** Time after which a request counts as not answered. */
const ANSWER_MS = 5_000

export default benchmark({
  description: 'requests that are answered beside hostile connections of one address',
  options: { hostile: 6_000, requests: 50 },
  async run({ hostile, requests }, rig) {
    const { edge, token } = await rig.service()
    progress(`${hostile} connections`)
    rig.defer(await holdConnections(edge, HOSTILE, hostile))
    const callers: Record<string, unknown> = {}
    for (const [name, localAddress] of Object.entries(CALLERS)) {
      progress(`${requests} requests from ${localAddress}`)
      const times: number[] = []
      for (let i = 0; i < requests; i++) {
        const began = performance.now()
        if ((await statusOf(edge, token, localAddress)) === 200) times.push(performance.now() - began)
      }
      callers[name] = {
        answered: `${times.length} of ${requests}`,
        medianMs: fixed(median(times)),
        p99Ms: fixed(quantile(times, 0.99)),
      }
    }
    return { hostile, callers, targets: { answered: 'all' } }
  },
})

/** Status of a request on a connection of its own; 0 without an answer. */
const statusOf = (edge: string, token: string, localAddress: string): Promise<number> =>
  new Promise(resolve => {
    const sent = request(`${edge}/v0/galleries`, {
      agent: false,
      headers: { authorization: `Token ${token}` },
      localAddress,
      signal: AbortSignal.timeout(ANSWER_MS),
    })
    sent.on('error', () => resolve(0))
    sent.on('response', response => {
      response.resume().once('error', () => {})
      resolve(response.statusCode ?? 0)
    })
    sent.end()
  })

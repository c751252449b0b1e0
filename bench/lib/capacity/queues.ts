/** Waiting times: M/M/c queues, and requests that wait for all of several M/M/1 queues. All times in milliseconds. */

export interface Waits {
  /** Above 1 the queue grows without bound, and the times are infinite. */
  utilisation: number
  meanMs: number
  p99Ms: number
}

const NEVER = { meanMs: Number.POSITIVE_INFINITY, p99Ms: Number.POSITIVE_INFINITY }

/** Wait for a free server. `servers` servers take `serviceMs` on average, and `perSecond` requests arrive at random. */
export function waitForOne(perSecond: number, serviceMs: number, servers: number): Waits {
  const load = (perSecond * serviceMs) / 1000
  const utilisation = load / servers
  if (utilisation >= 1) return { utilisation, ...NEVER }
  const busy = erlangC(load, servers)
  // P(wait > t) = busy x exp(-t x free)
  const free = (servers - load) / serviceMs
  return { utilisation, meanMs: busy / free, p99Ms: Math.max(0, Math.log(busy / 0.01) / free) }
}

/** The longest wait among this many single-server queues, all of which receive `perSecond` requests. */
export function waitForAll(perSecond: number, serviceMs: number, queues: number): Waits {
  const utilisation = (perSecond * serviceMs) / 1000
  if (utilisation >= 1) return { utilisation, ...NEVER }
  const free = (1 - utilisation) / serviceMs
  // At most this share of all waits may be longer to keep 99 of 100 maxima below the result.
  const part = 1 - 0.99 ** (1 / queues)
  // The mean of the maximum of n exponential times is the mean of one times 1 + 1/2 + ... + 1/n.
  const mean = (utilisation * harmonic(queues)) / free
  return { utilisation, meanMs: mean, p99Ms: Math.max(0, Math.log(utilisation / part) / free) }
}

/** Erlang's C: the probability that all servers are busy. The load is measured in servers. */
export function erlangC(load: number, servers: number): number {
  // Computed from Erlang's B by its recurrence, which neither overflows nor cancels.
  let blocked = 1
  for (let n = 1; n <= servers; n++) blocked = (load * blocked) / (n + load * blocked)
  return blocked / (1 - (load / servers) * (1 - blocked))
}

const harmonic = (n: number): number =>
  Array.from({ length: n }, (_, i) => 1 / (i + 1)).reduce((a, b) => a + b, 0)

/** Waiting: M/M/c queues, and that of who needs an answer of every one of many M/M/1 queues. All times in milliseconds. */

export interface Waits {
  /** Above 1 the queue grows without an end, and the times are infinite. */
  utilisation: number
  meanMs: number
  p99Ms: number
}

const NEVER = { meanMs: Number.POSITIVE_INFINITY, p99Ms: Number.POSITIVE_INFINITY }

/** The time before a server is free, of `servers` that each take `serviceMs` on average, asked at `perSecond` by chance. */
export function waitForOne(perSecond: number, serviceMs: number, servers: number): Waits {
  const load = (perSecond * serviceMs) / 1000
  const utilisation = load / servers
  if (utilisation >= 1) return { utilisation, ...NEVER }
  const busy = erlangC(load, servers)
  // P(wait > t) = busy x exp(-t x free)
  const free = (servers - load) / serviceMs
  return { utilisation, meanMs: busy / free, p99Ms: Math.max(0, Math.log(busy / 0.01) / free) }
}

/** The longest of the waits at so many queues of one server each, all of which are asked at `perSecond`. */
export function waitForAll(perSecond: number, serviceMs: number, queues: number): Waits {
  const utilisation = (perSecond * serviceMs) / 1000
  if (utilisation >= 1) return { utilisation, ...NEVER }
  const free = (1 - utilisation) / serviceMs
  // No more than this part of all waits may be longer, so that 99 of 100 longest ones are not.
  const part = 1 - 0.99 ** (1 / queues)
  // The mean of the longest of n exponential times is that of one times 1 + 1/2 + ... + 1/n.
  const mean = (utilisation * harmonic(queues)) / free
  return { utilisation, meanMs: mean, p99Ms: Math.max(0, Math.log(utilisation / part) / free) }
}

/** Erlang's C: the probability that all servers are busy, at a load in servers. */
export function erlangC(load: number, servers: number): number {
  // Erlang's B by its recurrence, which neither overflows nor cancels.
  let blocked = 1
  for (let n = 1; n <= servers; n++) blocked = (load * blocked) / (n + load * blocked)
  return blocked / (1 - (load / servers) * (1 - blocked))
}

const harmonic = (n: number): number =>
  Array.from({ length: n }, (_, i) => 1 / (i + 1)).reduce((a, b) => a + b, 0)

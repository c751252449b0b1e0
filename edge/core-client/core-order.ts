/** Order in which a request tries several cores: near cores in rotation, then farther cores, then cores with an open breaker. */
import { EDGE_LIMITS } from '../../contract/limits/edge.ts'
import type { CircuitBreaker } from './circuit-breaker.ts'

type BreakerState = Pick<CircuitBreaker, 'isClosed' | 'latency' | 'nextCheckAt'>

/** A core counts as near up to this multiple of the lowest latency, plus EDGE_LIMITS.coreNearMs. */
const NEAR_FACTOR = 1.5

/**
 * Every core once. `turn` increases by one per request. A core without a health check counts as near. Cores with an open
 * breaker stay in the list: they may be the only cores.
 */
export function orderCores<Core extends { breaker: BreakerState }>(
  cores: readonly Core[],
  turn: number,
): Core[] {
  const closed = cores.filter(({ breaker }) => breaker.isClosed)
  const nearest = Math.min(...closed.map(({ breaker }) => breaker.latency ?? Infinity))
  const isNear = ({ breaker }: Core) =>
    breaker.latency === undefined || breaker.latency <= nearest * NEAR_FACTOR + EDGE_LIMITS.coreNearMs
  const near = closed.filter(isNear)
  const first = near.length === 0 ? 0 : turn % near.length
  return [
    ...near.slice(first),
    ...near.slice(0, first),
    ...closed.filter(core => !isNear(core)).sort(by(({ latency }) => latency ?? 0)),
    ...cores.filter(({ breaker }) => !breaker.isClosed).sort(by(({ nextCheckAt: analyze }) => analyze)),
  ]
}

const by =
  (value: (state: BreakerState) => number) =>
  (one: { breaker: BreakerState }, other: { breaker: BreakerState }): number =>
    value(one.breaker) - value(other.breaker)

/** In which order several cores are asked: the near ones in turn, then those further away, and last those that are passed over. */
import { LIMITS } from '../../core/contract/limits.ts'
import type { CircuitBreaker } from './circuit-breaker.ts'

type Known = Pick<CircuitBreaker, 'isClosed' | 'latency' | 'analyze'>

/** How much longer than to the nearest core a look may take to another one that counts as near. */
const NEAR = 1.5

/**
 * All of them, each once; `turn` rises by one with each question. What was not looked at yet counts as near. Nobody is left
 * out: those who are passed over may be all there are.
 */
export function orderCores<Core extends { breaker: Known }>(cores: readonly Core[], turn: number): Core[] {
  const closed = cores.filter(({ breaker }) => breaker.isClosed)
  const nearest = Math.min(...closed.map(({ breaker }) => breaker.latency ?? Infinity))
  const isNear = ({ breaker }: Core) =>
    breaker.latency === undefined || breaker.latency <= nearest * NEAR + LIMITS.coreNearMs
  const near = closed.filter(isNear)
  const first = near.length === 0 ? 0 : turn % near.length
  return [
    ...near.slice(first),
    ...near.slice(0, first),
    ...closed.filter(core => !isNear(core)).sort(by(({ latency }) => latency ?? 0)),
    ...cores.filter(({ breaker }) => !breaker.isClosed).sort(by(({ analyze }) => analyze)),
  ]
}

const by =
  (value: (known: Known) => number) =>
  (one: { breaker: Known }, other: { breaker: Known }): number =>
    value(one.breaker) - value(other.breaker)

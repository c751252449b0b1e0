/** The circuit breaker of a core: when requests skip the core, for how long, and how the breaker closes. */

import { EDGE_LIMITS } from '#contract/limits/edge.ts'
import { type CircuitBreaker, circuitBreaker } from '#edge/core-client/circuit-breaker.ts'
import { times } from '#test/support/times.ts'

let time: number
let core: CircuitBreaker
let changes: boolean[]

beforeEach(() => {
  time = 1_000_000
  changes = []
  core = circuitBreaker({
    now: () => time,
    random: () => 1,
    onChange: isClosed => changes.push(isClosed),
  })
  core.claimCheck()
  core.ready(10)
})

/** Time until the next health check. */
const pause = () => core.nextCheckAt - time

/** Advances the clock to the next health check and claims it. */
function nextCheck() {
  time = core.nextCheckAt
  expect(core.claimCheck()).toBe(true)
}

describe('CircuitBreaker', () => {
  it('doubles its pause with each failed health check, up to a bound', () => {
    core.requestFailed()
    const pauses = times(8, () => {
      nextCheck()
      core.checkTimedOut()
      return pause()
    })
    expect(pauses).toEqual([500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000, 8_000])
  })

  it('closes after a successful health check, not after a successful request', () => {
    core.requestFailed()
    core.requestSucceeded(time)
    expect(core.isClosed).toBe(false)
    nextCheck()
    core.ready(10)
    core.ready(10)
    expect(core.isClosed).toBe(true)
    expect(changes).toEqual([false, true])
    core.requestFailed()
    expect(pause()).toBe(EDGE_LIMITS.corePauseMs)
  })

  it('grants one health check at a time, and another when the first has not ended in time', () => {
    core.requestFailed()
    expect(core.claimCheck()).toBe(false)
    nextCheck()
    expect(core.claimCheck()).toBe(false)
    time += EDGE_LIMITS.coreCheckMs
    expect(core.claimCheck()).toBe(true)
  })

  it('stays closed for a suspect core, and checks its health at most once per second', () => {
    core.suspect()
    time += EDGE_LIMITS.coreSlowMs
    expect(core.isClosed).toBe(true)
    expect(core.claimCheck()).toBe(true)
    core.ready(10)
    core.suspect()
    expect(pause()).toBe(EDGE_LIMITS.coreSlowMs)
  })

  it('reports a core as recently alive for EDGE_LIMITS.coreAliveMs after the sending of a successful request, while closed', () => {
    const asked = time
    time += EDGE_LIMITS.coreAliveMs
    core.ready(10)
    time += EDGE_LIMITS.coreAliveMs - 11
    expect(core.isRecentlyAlive).toBe(true)
    time++
    expect(core.isRecentlyAlive).toBe(false)
    core.requestSucceeded(asked)
    expect(core.isRecentlyAlive).toBe(false)
    core.requestSucceeded(time)
    expect(core.isRecentlyAlive).toBe(true)
    core.requestFailed()
    expect(core.isRecentlyAlive).toBe(false)
  })
})

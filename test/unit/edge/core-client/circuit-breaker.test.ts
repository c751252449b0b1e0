/** What an isolate knows of a core: when it is passed over, for how long, and how it comes back. */
import { beforeEach, describe, expect, it } from 'vitest'
import { LIMITS } from '../../../../core/contract/limits.ts'
import { type CircuitBreaker, circuitBreaker } from '../../../../edge/core-client/circuit-breaker.ts'

let time: number
let chance: number
let core: CircuitBreaker
let told: boolean[]

beforeEach(() => {
  time = 1_000_000
  chance = 1
  told = []
  core = circuitBreaker({ now: () => time, random: () => chance, onChange: isClosed => told.push(isClosed) })
  core.claimCheck()
  core.ready(10)
})

/** How long it is passed over before the next look. */
const pause = () => core.nextCheckAt - time

/** Lets its pause go by, and takes the look that is due. */
function nextLook(): void {
  time = core.nextCheckAt
  expect(core.claimCheck()).toBe(true)
}

describe('a core', () => {
  it('that loses a question is passed over, and not for longer when many are lost at once', () => {
    for (let i = 0; i < 50; i++) core.requestFailed()
    expect(core.isClosed).toBe(false)
    expect(pause()).toBe(LIMITS.corePauseMs)
  })

  it('is passed over for twice as long each time that a look fails, up to a bound', () => {
    core.requestFailed()
    const pauses = Array.from({ length: 8 }, () => {
      nextLook()
      core.checkTimedOut()
      return pause()
    })
    expect(pauses).toEqual([500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000, 8_000])
  })

  it('is passed over by different edges for different times', () => {
    chance = 0
    core.requestFailed()
    expect(pause()).toBe(LIMITS.corePauseMs / 2)
  })

  it('comes back by a look that finds it ready, and by no answer to a question', () => {
    core.requestFailed()
    core.requestSucceeded(time)
    expect(core.isClosed).toBe(false)
    nextLook()
    core.ready(10)
    core.ready(10)
    expect(core.isClosed).toBe(true)
    expect(told).toEqual([false, true])
    core.requestFailed()
    expect(pause()).toBe(LIMITS.corePauseMs)
  })

  it('is looked at by one at a time, and by the next when nothing came of that', () => {
    core.requestFailed()
    expect(core.claimCheck()).toBe(false)
    nextLook()
    expect(core.claimCheck()).toBe(false)
    time += LIMITS.coreCheckMs
    expect(core.claimCheck()).toBe(true)
  })

  it('that goes is passed over without a failure, whoever says so how often', () => {
    for (let i = 0; i < 5; i++) core.draining()
    expect(told).toEqual([false])
    expect(core.isClosed).toBe(false)
    expect(pause()).toBe(LIMITS.coreSlowMs)
    nextLook()
    core.checkTimedOut()
    expect(pause()).toBe(LIMITS.corePauseMs)
  })

  it('that is in doubt stays, and is looked at soon, but once a second', () => {
    core.suspect()
    time += LIMITS.coreSlowMs
    expect(core.isClosed).toBe(true)
    expect(core.claimCheck()).toBe(true)
    core.ready(10)
    core.suspect()
    expect(pause()).toBe(LIMITS.coreSlowMs)
  })

  it('counts as heard for a while from when it was asked what it answered, unless it is passed over', () => {
    const asked = time
    time += LIMITS.coreAliveMs
    core.ready(10)
    time += LIMITS.coreAliveMs - 11
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

  it('is as near as its looks are quick, and one slow look says little', () => {
    core.ready(90)
    expect(core.latency).toBe(20)
    core.ready(4)
    expect(core.latency).toBe(12)
  })

  it('that is silent says since when, which one that is only lost or not ready does not', () => {
    core.requestFailed()
    core.unready()
    expect(core.silentAt).toBe(-Infinity)
    core.checkTimedOut()
    expect(core.silentAt).toBe(time)
  })
})

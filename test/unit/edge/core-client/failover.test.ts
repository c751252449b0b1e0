import { describe, expect, it } from 'vitest'
import { orderCores } from '#edge/core-client/failover.ts'

interface State {
  isClosed: boolean
  latency: number | undefined
  nextCheckAt: number
}

const core = (name: string, state: Partial<State>) => ({
  name,
  breaker: { isClosed: true, latency: undefined, nextCheckAt: 0, ...state },
})

const namesOf = (cores: ReturnType<typeof core>[], turn: number) =>
  orderCores(cores, turn)
    .map(({ name }) => name)
    .join(' ')

describe('orderCores', () => {
  it('rotates cores of similar latency, before slower cores', () => {
    const cores = [
      core('far', { latency: 120 }),
      core('near', { latency: 20 }),
      core('beside', { latency: 30 }),
      core('middle', { latency: 60 }),
    ]
    expect([0, 1, 2].map(turn => namesOf(cores, turn))).toEqual([
      'near beside middle far',
      'beside near middle far',
      'near beside middle far',
    ])
  })

  it('puts open cores last, by the time of their next health check', () => {
    const cores = [
      core('late', { isClosed: false, nextCheckAt: 9, latency: 1 }),
      core('soon', { isClosed: false, nextCheckAt: 3, latency: 50 }),
      core('far', { latency: 120 }),
    ]
    expect(namesOf(cores, 0)).toBe('far soon late')
  })
})

import { keyedOrder, orderCores } from '#edge/core-client/failover.ts'
import { times } from '#test/support/times.ts'

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

describe('keyedOrder', () => {
  const cores = (open = '') =>
    ['http://a', 'http://b', 'http://c'].map(url => ({
      url,
      breaker: core('', { isClosed: url !== open }).breaker,
    }))
  const first = (key: string, all = cores()) => keyedOrder(all, key)[0]!.url

  it('leads a key to one core whatever the order of the list, and spreads the keys', () => {
    const keys = times(60, i => `owner ${i}`)
    for (const key of keys) expect(first(key, cores().reverse())).toBe(first(key))
    expect(new Set(keys.map(key => first(key))).size).toBe(3)
  })

  it('passes by a core that is away', () => {
    expect(first('owner', cores(first('owner')))).not.toBe(first('owner'))
  })
})

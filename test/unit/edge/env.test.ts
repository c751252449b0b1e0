/** The worker's bindings: one or several cores, and their secrets. */

import { EDGE_LIMITS } from '#contract/limits/edge.ts'
import { parseEnv } from '#edge/env.ts'
import { times } from '#test/support/times.ts'

const ONE = 'a secret, of 32 letters or more ...'
const OTHER = 'another secret of 32 letters or more'

const coresOf = (CORE_URL: string, EDGE_SECRET: string) => parseEnv({ CORE_URL, EDGE_SECRET }).cores

describe('parseEnv', () => {
  it('reads one core, with any characters in the secret', () => {
    expect(coresOf('http://a:8788', ONE)).toEqual([{ url: 'http://a:8788', secret: ONE }])
  })

  it('reads several cores with one secret for all, or one secret each in order', () => {
    expect(coresOf('http://a:8788, https://b', OTHER)).toEqual([
      { url: 'http://a:8788', secret: OTHER },
      { url: 'https://b', secret: OTHER },
    ])
    expect(coresOf('http://a:8788,https://b', `${OTHER}, ${OTHER}!`)).toEqual([
      { url: 'http://a:8788', secret: OTHER },
      { url: 'https://b', secret: `${OTHER}!` },
    ])
  })

  it.each([
    ['no core', ''],
    ['an invalid URL', 'a:8788'],
    ['a repeated core', 'http://a,http://a'],
    ['more cores than EDGE_LIMITS.cores', times(EDGE_LIMITS.cores + 1, i => `http://core${i}`).join()],
  ])('refuses CORE_URL with %s', (_, urls) => {
    expect(() => coresOf(urls, OTHER)).toThrow('CORE_URL')
  })

  it.each([
    ['fewer secrets than cores', `${OTHER},${OTHER}`],
    ['a short secret', `${OTHER},${OTHER},short`],
  ])('refuses EDGE_SECRET with %s', (_, secrets) => {
    expect(() => coresOf('http://a,http://b,http://c', secrets)).toThrow('EDGE_SECRET')
  })
})

/** The worker's bindings: one core or several, and the secret of each. */
import { describe, expect, it } from 'vitest'
import { LIMITS } from '../../../core/contract/limits.ts'
import { parseEnv } from '../../../edge/env.ts'

const ONE = 'a secret, of 32 letters or more ...'
const OTHER = 'another secret of 32 letters or more'

const coresOf = (CORE_URL: string, EDGE_SECRET: string) => parseEnv({ CORE_URL, EDGE_SECRET }).cores

describe('the bindings', () => {
  it('name one core, whose secret may have any letters', () => {
    expect(coresOf('http://a:8788', ONE)).toEqual([{ url: 'http://a:8788', secret: ONE }])
  })

  it('name several cores, with one secret for all or one for each in their order', () => {
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
    ['an empty place in the list', 'http://a,,http://b'],
    ['what is no URL', 'a:8788'],
    ['another protocol', 'ftp://a'],
    ['a core twice', 'http://a,http://a'],
    ['too many', Array.from({ length: LIMITS.cores + 1 }, (_, i) => `http://core${i}`).join()],
  ])('refuse %s', (_, urls) => {
    expect(() => coresOf(urls, OTHER)).toThrow('CORE_URL')
  })

  it.each([
    ['more secrets than cores', `${OTHER},${OTHER},${OTHER},${OTHER}`],
    ['fewer', `${OTHER},${OTHER}`],
    ['one that is too short', `${OTHER},${OTHER},short`],
  ])('refuse %s', (_, secrets) => {
    expect(() => coresOf('http://a,http://b,http://c', secrets)).toThrow('EDGE_SECRET')
  })
})

/** JSON, whose names, values and levels are counted before parsing. */

import * as fc from 'fast-check'
import { REQUEST_LIMITS } from '#contract/limits/requests.ts'
import { parseJsonText } from '#contract/parameters/json-text.ts'
import { jsonNames } from '#edge/parameters/encodings/json.ts'
import { times } from '#test/support/times.ts'

const namesOf = async (text: string): Promise<unknown[] | undefined> => {
  const names = await jsonNames(new TextEncoder().encode(text))
  return names?.map(bytes => JSON.parse(new TextDecoder().decode(bytes)))
}

describe('jsonNames', () => {
  it('returns the names of the outermost object, with repetitions', async () => {
    expect(await namesOf('{"a": 1, "b": {"c": [{"d": ":"}]}, "a" : "x\\":,{[", "é": null}')).toEqual([
      'a',
      'b',
      'a',
      'é',
    ])
  })

  it('returns the names of any object', async () => {
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue()), async value => {
        const text = JSON.stringify(value)
        expect(await namesOf(text)).toEqual(Object.keys(JSON.parse(text)))
      }),
    )
  })

  it.each([
    ['too many names', `{${times(REQUEST_LIMITS.requestFields + 1, i => `"k${i}":1`).join()}}`],
    ['too many elements', `{"a":[${'1,'.repeat(REQUEST_LIMITS.jsonValues)}1]}`],
    [
      'too many levels',
      `{"a":${'['.repeat(REQUEST_LIMITS.nestingLevels + 1)}${']'.repeat(REQUEST_LIMITS.nestingLevels + 1)}}`,
    ],
    ['millions of unclosed levels', '['.repeat(5_000_000)],
  ])('refuses an object with %s', async (_, text) => {
    expect(await namesOf(text)).toBeUndefined()
  })

  it('accepts levels and values up to the limits, and a long text', async () => {
    const levels = '['.repeat(REQUEST_LIMITS.nestingLevels) + ']'.repeat(REQUEST_LIMITS.nestingLevels)
    const elements = '1,'.repeat(REQUEST_LIMITS.jsonValues - REQUEST_LIMITS.nestingLevels - 9)
    const text = `{"a":${levels},"b":[${elements}1],"c":"${'[{,:\\"'.repeat(1_000_000)}"}`
    expect(await namesOf(text)).toEqual(['a', 'b', 'c'])
  })
})

it.each([
  ['{"a": [1]}', { a: [1] }],
  ['{', undefined],
  ['['.repeat(1000) + ']'.repeat(1000), undefined],
  [`[${'1,'.repeat(REQUEST_LIMITS.jsonValues)}1]`, undefined],
  [`"${'x'.repeat(REQUEST_LIMITS.structureLength)}"`, undefined],
])('parseJsonText returns for %s the value %j', (text, value) => {
  expect(parseJsonText(text)).toEqual(value)
})

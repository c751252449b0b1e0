/** JSON, counted before it is parsed. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LIMITS } from '../../../../../core/contract/limits.ts'
import { jsonNames, parseJsonText } from '../../../../../edge/http/encodings/json.ts'

const namesOf = async (text: string): Promise<unknown[] | undefined> => {
  const names = await jsonNames(new TextEncoder().encode(text))
  return names?.map(bytes => JSON.parse(new TextDecoder().decode(bytes)))
}

describe('a JSON body', () => {
  it('has the names of its outermost object, as often as they come', async () => {
    expect(await namesOf('{"a": 1, "b": {"c": [{"d": ":"}]}, "a" : "x\\":,{[", "é": null}')).toEqual([
      'a',
      'b',
      'a',
      'é',
    ])
  })

  it('has its own names, whatever it holds', async () => {
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue()), async value => {
        const text = JSON.stringify(value)
        expect(await namesOf(text)).toEqual(Object.keys(JSON.parse(text)))
      }),
    )
  })

  it.each([
    ['many names', `{${Array.from({ length: LIMITS.requestFields + 1 }, (_, i) => `"k${i}":1`).join()}}`],
    ['many elements', `{"a":[${'1,'.repeat(LIMITS.jsonValues)}1]}`],
    ['many levels', `{"a":${'['.repeat(LIMITS.nestingLevels + 1)}${']'.repeat(LIMITS.nestingLevels + 1)}}`],
    ['levels without an end', '['.repeat(5_000_000)],
  ])('is refused with %s', async (_, text) => {
    expect(await namesOf(text)).toBeUndefined()
  })

  it('may hold as much as is allowed, and a text of any length', async () => {
    const levels = '['.repeat(LIMITS.nestingLevels) + ']'.repeat(LIMITS.nestingLevels)
    const elements = '1,'.repeat(LIMITS.jsonValues - LIMITS.nestingLevels - 9)
    const text = `{"a":${levels},"b":[${elements}1],"c":"${'[{,:\\"'.repeat(1_000_000)}"}`
    expect(await namesOf(text)).toEqual(['a', 'b', 'c'])
  })
})

describe('the text of JSON within a field', () => {
  it.each([
    ['{"a": [1]}', { a: [1] }],
    ['null', null],
    ['', undefined],
    ['{', undefined],
    ['['.repeat(1000) + ']'.repeat(1000), undefined],
    [`[${'1,'.repeat(LIMITS.jsonValues)}1]`, undefined],
    [`"${'x'.repeat(LIMITS.structureLength)}"`, undefined],
  ])('%s is its value, or nothing', (text, value) => {
    expect(parseJsonText(text)).toEqual(value)
  })
})

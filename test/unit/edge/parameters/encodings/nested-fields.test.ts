/** Nested names of fields: one structure in the notations of several clients. */
import * as fc from 'fast-check'
import { REQUEST_LIMITS } from '#contract/limits/requests.ts'
import { fieldSet } from '#edge/parameters/encodings/named-fields.ts'
import type { Kind, KnownParameters } from '#edge/parameters/known-parameters.ts'

const known: KnownParameters = {
  kinds: new Map<string, Kind>([
    ['bbox', 'list'],
    ['galleries', 'structure'],
    ['n', 'once'],
    ['photo', 'once'],
  ]),
  photos: ['photo'],
  unused: new Set(),
  needs: 'optional',
}

/** The parameters of these fields, or the parameter of their refusal. */
function read(pairs: readonly (readonly [string, string])[]): unknown {
  const fields = fieldSet(known, 'body')
  try {
    for (const [name, value] of pairs) {
      const field = fields.meet(name)
      if (field) fields.put(field, value)
    }
    return fields.parameters()
  } catch (error) {
    return (error as { code: string; detail: { param: string } }).detail.param
  }
}

const pairsOf = (query: string) => [...new URLSearchParams(query)]

type Value = string | Value[] | { [key: string]: Value }

/** PHP and jQuery number the elements of lists. */
function numbered(name: string, value: Value): [string, string][] {
  if (typeof value === 'string') return [[name, value]]
  return Object.entries(value).flatMap(([key, child]) => numbered(`${name}[${key}]`, child))
}

const key = fc.stringMatching(/^[a-z_]{1,9}$/).filter(text => text !== '__proto__')

/** Any structure. Its notation numbers the elements. */
const anything = fc.letrec<{ value: Value }>(tie => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.string(),
    fc.array(tie('value'), { minLength: 1, maxLength: 4 }),
    fc.dictionary(key, tie('value'), { minKeys: 1, maxKeys: 4 }),
  ),
})).value

/** Without prototypes, which generated objects may lack. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

describe('fieldSet', () => {
  it.each([
    [
      'bbox[][x1]=1&bbox[][y1]=2&bbox[][x1]=3&bbox[][y1]=4',
      [
        { x1: '1', y1: '2' },
        { x1: '3', y1: '4' },
      ],
    ],
    ['bbox[999999999][x1]=2&bbox[7][x1]=1', [{ x1: '1' }, { x1: '2' }]],
    ['bbox[0][]=1&bbox[0][]=2&bbox[1][]=3', [['1', '2'], ['3']]],
    ['bbox=a&bbox=b&bbox[]=c', ['a', 'b', 'c']],
    ['bbox[add]=a&bbox[add]=b&bbox[add]=c', { add: ['a', 'b', 'c'] }],
    ['bbox[', undefined],
    ['bbox[]x=1', undefined],
    ['[bbox]=1', undefined],
  ])('reads %s', (query, expected) => {
    expect(read(pairsOf(query))).toEqual(expected === undefined ? {} : { bbox: expected })
  })

  it.each([
    ['n=1&n=2', 'n'],
    ['n[]=1&n[]=2', 'n'],
    ['galleries={}&galleries={}', 'galleries'],
    ['galleries[add][]=a&galleries={}', 'galleries'],
    ['bbox[x1]=1&bbox[x1][a]=2', 'bbox'],
    ['bbox[x1][a]=2&bbox[x1]=1', 'bbox'],
    [`bbox${'[a]'.repeat(REQUEST_LIMITS.nestingLevels + 1)}=1`, 'bbox'],
    ['x=1&'.repeat(REQUEST_LIMITS.requestFields + 1), 'body'],
  ])('refuses %s and names the parameter %s', (query, param) => {
    expect(read(pairsOf(query))).toBe(param)
  })

  it('reads a single text in brackets as a text, for a scalar parameter', () => {
    expect(read(pairsOf('n[]=1'))).toEqual({ n: '1' })
  })

  it('reads any structure back from numbered names', () => {
    fc.assert(
      fc.property(anything, value => {
        expect(plain(read(numbered('bbox', value)))).toEqual(plain({ bbox: value }))
      }),
    )
  })
})

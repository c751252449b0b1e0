/** Reasons of refused parameters: they state what was expected, without texts of the validator. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { OPERATIONS } from '#contract/operations/table.ts'
import { Upload } from '#contract/parameters/photos.ts'

/** Words of the validator, and fragments of regular expressions. */
const INTERNAL =
  /invalid|received|must |too (big|small)|expected (string|number|array|object|boolean)\b|zod|regex|[\\^$]|\[a-z|another value|undefined|NaN/i

const WRONG = [
  null,
  '',
  'x',
  '-1',
  'a b/c',
  '\0',
  '\ud800',
  'x'.repeat(5000),
  '[1, 2',
  '{"add": 1}',
  -1,
  1.5,
  1e300,
  true,
  [],
  ['x'],
  [1, 2, 3],
  [10, 20, 5, 40],
  [0, 0, 10, 10],
  Array.from({ length: 2000 }, () => 'a'),
  {},
  { a: 1 },
  { x1: 1, y1: 2, x2: 3 },
  [new Upload(new Uint8Array(3), 'x')],
  new Upload(new Uint8Array(3), '\0'),
]

const wrong = fc.oneof(fc.constantFrom(...WRONG), fc.anything())

const withParameters = OPERATIONS.filter(({ parameters }) => Object.keys(parameters.shape).length > 0)

describe.each(withParameters.map(operation => [operation.name, operation] as const))(
  'the parameters of %s',
  (_, { parameters }) => {
    const names = Object.keys(parameters.shape)

    it('describes the expected value of each parameter without texts of the validator', () => {
      fc.assert(
        fc.property(fc.constantFrom(...names), wrong, (name, value) => {
          const parsed = parameters.safeParse({ [name]: value }, { error: () => 'another value' })
          for (const { message } of parsed.error?.issues ?? []) {
            // An expectation continues the sentence after "expected".
            expect(message).toMatch(/^(?:[a-z\d]|JSON)/)
            expect(message).not.toMatch(/\.$/)
            expect(message).not.toMatch(INTERNAL)
          }
        }),
        {
          numRuns: 300,
          examples: names.flatMap(name => WRONG.map((value): [string, unknown] => [name, value])),
        },
      )
    })
  },
)

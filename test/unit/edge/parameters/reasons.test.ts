/** Reasons of refused parameters: they state the expected value, without texts of the validator. */

import * as fc from 'fast-check'
import { OPERATIONS } from '#contract/operations/table.ts'
import { Upload } from '#contract/parameters/photos.ts'
import { times } from '#test/support/times.ts'

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
  times(2000, () => 'a'),
  {},
  { a: 1 },
  { x1: 1, y1: 2, x2: 3 },
  [new Upload(new Uint8Array(3), 'x')],
  new Upload(new Uint8Array(3), '\0'),
]

const wrong = fc.oneof(fc.constantFrom(...WRONG), fc.anything())

/** Each parameter once: operations share their schemas. */
const PARAMETERS = new Map(
  OPERATIONS.flatMap(({ name: operation, parameters: { shape } }) =>
    Object.entries(shape).map(([name, schema]) => [schema, { what: `${name} of ${operation}`, schema }]),
  ),
)

it.each([...PARAMETERS.values()])('$what has reasons without texts of the validator', ({ schema }) => {
  fc.assert(
    fc.property(wrong, value => {
      const parsed = schema.safeParse(value, { error: () => 'another value' })
      for (const { message } of parsed.error?.issues ?? []) {
        // An expectation continues the sentence after "expected".
        expect(message).toMatch(/^(?:[a-z\d]|JSON)/)
        expect(message).not.toMatch(/\.$/)
        expect(message).not.toMatch(INTERNAL)
      }
    }),
    { numRuns: 40, examples: WRONG.map((value): [unknown] => [value]) },
  )
})

/** Reasons of refused parameters: they state what was expected, without texts of the validator. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Upload } from '../../../edge/http/encodings/upload.ts'
import { OPERATIONS } from '../../../edge/operations/table.ts'
import { api } from './shared.ts'

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

describe.each(OPERATIONS.map(operation => [operation.name, operation] as const))(
  'the parameters of %s',
  (_, { parameters }) => {
    const names = Object.keys(parameters.shape)

    it.skipIf(names.length === 0)(
      'describes the expected value of each parameter without texts of the validator',
      () => {
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
      },
    )
  },
)

it.each([
  ['POST', '/v0/detect', {}, 'photo', /^photo: expected one photo: .*, got nothing\.$/],
  [
    'POST',
    '/v0/face',
    { photo: 'http://a.test', bbox: [10, 20, 5, 40] },
    'bbox',
    /^bbox: expected 4 numbers x1,y1,x2,y2 with x2 > x1 and y2 > y1, got \[10,20,5,40\]\.$/,
  ],
  ['POST', '/v0/galleries/a%20b', {}, 'gallery', /^gallery: expected a gallery name of .*, got "a b"\.$/],
  [
    'GET',
    '/v0/faces?max_id=x',
    undefined,
    'max_id',
    /^max_id: expected a whole number from 0 to \d+, got "x"\.$/,
  ],
  [
    'POST',
    '/v0/history/search',
    { cam_ids: Array.from({ length: 1001 }, () => 'a') },
    'cam_ids',
    /^cam_ids: expected at most 1000 UUIDs of cameras, got \["a",.*\.$/,
  ],
])('%s %s with %j answers BAD_PARAM with a reason about %s', async (method, path, values, param, reason) => {
  const { status, body } = await api(method, path, values)
  expect(status).toBe(400)
  expect(body).toMatchObject({ code: 'BAD_PARAM', param, reason: expect.stringMatching(reason) })
})

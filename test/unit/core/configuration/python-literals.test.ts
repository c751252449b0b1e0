/** Files of Python assignments: accepted literals, and the positions of refusals. */
import * as fc from 'fast-check'
import { NotALiteral, readAssignments, readLiteral } from '#core/configuration/python-literals.ts'

describe('readLiteral', () => {
  it.each<[string, unknown]>([
    ['None', null],
    ['0x1F', 31],
    ['1e-3', 0.001],
    ['+-+3', -3],
    ['7 * 24 * 3600', 604_800],
    ['1 + 2 * 3 - 4', 3],
    ['(1 + 2) * -3', -9],
    ['[1, [2, "x"],]', null],
    ["{'a': 1, 2: [None], }", null],
    [`"""two\nlines"""`, 'two\nlines'],
    [`'a' "b" u'c'`, 'abc'],
    [`r'\\n stays'`, '\\n stays'],
    [`'# no comment'`, '# no comment'],
    [`'open`, 'refused'],
    [`b'bytes'`, 'refused'],
    [`f'{1}'`, 'refused'],
  ])('reads %s as %j', (text, value) => {
    expect(literal(text)).toEqual(value)
  })

  it.each([
    'os.environ["HOME"]',
    '__import__("os").system("true")',
    '2 ** 99',
    '012',
    '1e999',
    '',
    '1\nb = 2',
  ])('refuses %s', text => {
    expect(literal(text)).toBe('refused')
  })

  it('reads or refuses any text', () => {
    fc.assert(fc.property(fc.string(), text => void literal(text)))
  })
})

describe('readAssignments', () => {
  it('returns assignments in order, with the positions of their values', () => {
    const text = `# facenapi

person_identify = True  # on

hosts = [
    'a',  # first
    'b',
]
x = 1; y = \\
  2
x = 3
`
    expect(readAssignments(text)).toEqual([
      { name: 'person_identify', value: true, line: 3, column: 19 },
      { name: 'hosts', value: null, line: 5, column: 9 },
      { name: 'x', value: 1, line: 9, column: 5 },
      { name: 'y', value: 2, line: 10, column: 3 },
      { name: 'x', value: 3, line: 11, column: 5 },
    ])
  })

  it.each([
    ['import os', 1, 1],
    ['a = 1\n\nprint(a)', 3, 1],
    ['a = b = 1', 1, 1],
    ['"""a text alone"""', 1, 1],
    ['a = [1,\n  2,\n  c]', 3, 3],
    ['a = 1 +', 1, 8],
  ])('refuses %j at line %i, column %i', (text, line, column) => {
    expect(refusalOf(text)?.place).toEqual({ line, column })
  })
})

const literal = (text: string): unknown => {
  try {
    return readLiteral(text)
  } catch (error) {
    if (error instanceof NotALiteral) return 'refused'
    throw error
  }
}

function refusalOf(text: string) {
  try {
    readAssignments(text)
  } catch (error) {
    if (error instanceof NotALiteral) return error
    throw error
  }
}

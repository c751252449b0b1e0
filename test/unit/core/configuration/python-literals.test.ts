/** Files of Python assignments: accepted literals, and the positions of refusals. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NotALiteral, readAssignments, readLiteral } from '#core/configuration/python-literals.ts'

describe('readLiteral', () => {
  it.each<[string, unknown]>([
    ['None', null],
    ['True', true],
    ['False', false],
    ['0', 0],
    ['00', 0],
    ['1_000', 1000],
    ['0x1F', 31],
    ['0b101', 5],
    ['0o17', 15],
    ['.5', 0.5],
    ['1e-3', 0.001],
    ['-3', -3],
    ['+-+3', -3],
    ['7 * 24 * 3600', 604_800],
    ['1 + 2 * 3 - 4', 3],
    ['10 - 2 - 3', 5],
    ['(1 + 2) * -3', -9],
    ['(1)', 1],
    ['1, 2', 'refused'],
    ['[1, [2, "x"],]', null],
    ['(1,)', null],
    ["{'a': 1, 2: [None], }", null],
    ['{1, 2}', null],
    [`"say 'hi'"`, "say 'hi'"],
    [`"""two\nlines"""`, 'two\nlines'],
    [`'''a "b" 'c' d'''`, `a "b" 'c' d`],
    [`'a' "b" u'c'`, 'abc'],
    [`r'\\n stays'`, '\\n stays'],
    [`'\\n stays'`, '\\n stays'],
    [`''`, ''],
    [`'# no comment'`, '# no comment'],
    [`'открыто'`, 'открыто'],
    [`'open`, 'refused'],
    [`b'bytes'`, 'refused'],
    [`f'{1}'`, 'refused'],
  ])('reads %s as %j', (text, value) => {
    expect(literal(text)).toEqual(value)
  })

  it.each([
    'os.environ["HOME"]',
    'open("/etc/passwd")',
    '__import__("os").system("true")',
    'lambda: 1',
    'not True',
    '~1',
    '2 ** 99',
    '7 / 2',
    'True + 1',
    '"a" * 3',
    '[1] + [2]',
    '{**{}}',
    '[*[]]',
    '1j',
    '012',
    '1e999',
    '...',
    'name',
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

  it('returns an empty list for an empty file or only comments', () => {
    expect(readAssignments('')).toEqual([])
    expect(readAssignments('# only a comment')).toEqual([])
  })

  it.each<[string, number, number]>([
    ['import os', 1, 1],
    ['a = 1\nb = os.environ', 2, 5],
    ['a = 1\n\nprint(a)', 3, 1],
    ['a = b = 1', 1, 1],
    ['a, b = 1, 2', 1, 1],
    ['a += 1', 1, 1],
    ['a: int = 1', 1, 1],
    ['a.b = 1', 1, 1],
    ['a[0] = 1', 1, 1],
    ['def f():\n  pass', 1, 1],
    ['if True:\n  a = 1', 1, 1],
    ['"""a text alone"""', 1, 1],
    ['[section]', 1, 1],
    ['a = [1,\n  2,\n  c]', 3, 3],
    ['a = 1 +', 1, 8],
    ['a = 2 ** 3', 1, 7],
    ['a = )', 1, 5],
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

function refusalOf(text: string): NotALiteral | undefined {
  try {
    readAssignments(text)
  } catch (error) {
    if (error instanceof NotALiteral) return error
    throw error
  }
}

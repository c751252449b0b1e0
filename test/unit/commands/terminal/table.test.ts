import { describe, expect, it } from 'vitest'
import { table } from '#commands/terminal/table.ts'

describe('table', () => {
  it('aligns texts left and numbers right below the names of their columns', () => {
    const rows = [
      { name: 'a', faces: 5, state: 'active' },
      { name: 'longer', faces: 12345, state: '' },
    ]
    expect(table(rows)).toBe(['NAME    FACES  STATE', 'a           5  active', 'longer  12345'].join('\n'))
    expect(table([])).toBe('')
  })

  it('removes escape codes and line feeds from values', () => {
    expect(table([{ name: 'a\u001b[31mb\nc\u0007' }])).toBe('NAME\nab\u{fffd}c\u{fffd}')
  })
})

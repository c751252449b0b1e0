/** docs/contract.md: each operation has a row, and the test of each row exists. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { OPERATIONS } from '#edge/operations/table.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')

const rows = readFileSync(join(ROOT, 'docs', 'contract.md'), 'utf8')
  .split('\n')
  .map(line => line.split('|').map(cell => cell.trim()))
  .filter(cells => cells[2]?.startsWith('test/'))
  .map(([, promise = '', file = '', name = '']) => ({ promise, file, name }))

describe('docs/contract.md', () => {
  it('has a row for each operation', () => {
    const proved = new Set(rows.map(row => row.promise))
    expect(OPERATIONS.map(operation => operation.name).filter(name => !proved.has(name))).toEqual([])
  })

  it.each(rows)('names an existing test of "$promise"', ({ file, name }) => {
    expect(name).not.toBe('')
    expect(readFileSync(join(ROOT, file), 'utf8')).toContain(name)
  })
})

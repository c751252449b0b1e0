/** docs/contract.md: every operation has a row, and every row a test that is there. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { OPERATIONS } from '../../../edge/operations/table.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')

const rows = readFileSync(join(ROOT, 'docs', 'contract.md'), 'utf8')
  .split('\n')
  .map(line => line.split('|').map(cell => cell.trim()))
  .filter(cells => cells[2]?.startsWith('test/'))
  .map(([, promise = '', file = '', name = '']) => ({ promise, file, name }))

describe('the table of the contract', () => {
  it('has a row for every operation', () => {
    const proved = new Set(rows.map(row => row.promise))
    expect(OPERATIONS.map(operation => operation.name).filter(name => !proved.has(name))).toEqual([])
  })

  it.each(rows)('proves "$promise" by a test that is there', ({ file, name }) => {
    expect(name).not.toBe('')
    expect(readFileSync(join(ROOT, file), 'utf8')).toContain(name)
  })
})

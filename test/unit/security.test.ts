/** docs/security.md: each guard names an existing test. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..', '..')

/** Rows of the table: attacker, path, guard and tests. */
const rows = readFileSync(join(ROOT, 'docs', 'security.md'), 'utf8')
  .split('\n')
  .filter(line => line.startsWith('|'))
  .slice(2)
  .map(line => line.split('|').map(cell => cell.trim()))
  .map(([, attacker = '', path = '', guard = '', tests = '']) => ({ attacker, path, guard, tests }))

it.each(rows)('docs/security.md names a guard and an existing test for "$path"', ({ path, guard, tests }) => {
  expect(path).not.toBe('')
  expect(guard).not.toBe('')
  const files = [...tests.matchAll(/`([^`]+)`/g)].map(([, file]) => file!)
  expect(files).not.toEqual([])
  for (const file of files) expect(existsSync(join(ROOT, file)), file).toBe(true)
})

/** docs/security.md: each defence names an existing test. */

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '#test/support/root.ts'

/** Rows of the table: threat, defence and tests. */
const rows = readFileSync(join(ROOT, 'docs', 'security.md'), 'utf8')
  .split('\n')
  .filter(line => line.startsWith('|'))
  .slice(2)
  .map(line => line.split('|').map(cell => cell.trim()))
  .map(([, threat = '', defence = '', tests = '']) => ({ threat, defence, tests }))

it.each(rows)(
  'docs/security.md names a defence and an existing test for "$threat"',
  ({ threat, defence, tests }) => {
    expect(threat).not.toBe('')
    expect(defence).not.toBe('')
    const files = [...tests.matchAll(/`([^`]+)`/g)].map(([, file]) => file!)
    expect(files).not.toEqual([])
    for (const file of files) expect(existsSync(join(ROOT, file)), file).toBe(true)
  },
)

/** The command that runs the simulator. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { ROOT } from '#test/support/root.ts'

it('npm run simulate refuses an unknown option with its usage', { tags: 'long' }, () => {
  const script = join(ROOT, 'commands/development/simulate.ts')
  const { status, stderr } = spawnSync(process.execPath, [script, '--nonsense'], { encoding: 'utf8' })
  expect(stderr).toMatch(/^Unknown option '--nonsense'\.\n\nUsage: npm run simulate/)
  expect(status).toBe(2)
})

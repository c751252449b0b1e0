/** `mien settings` on a stopped service. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runMien } from '#test/support/typed.ts'
import { openWorld } from '../core/operations/world.ts'

it('mien settings lists settings with their origins, changes and resets them, and says so in the audit log', async () => {
  const { data, close } = await openWorld()
  await close()
  await writeFile(join(data, 'facenapi.ini'), 'person_identify_threshold = 0.8\n')
  const run = (...args: string[]) =>
    runMien([...args, '--data', data], { MIEN_PERSON_IDENTIFY_GLOBAL: 'true' })
  expect(run('settings', 'set', 'person_identify_threshold', '.9')).toMatchObject({ status: 0, said: '' })
  const { said } = run('settings')
  expect(said).toMatch(/person_identify +false +default/)
  expect(said).toMatch(/person_identify_global +true +environment/)
  expect(said).toMatch(/person_identify_threshold +0.9 +setting +0.8/)
  expect(run('settings', 'set', 'person_identify_threshold', 'off')).toExit(0)
  expect(run('settings').said).toMatch(/person_identify_threshold +off +setting +0.8/)
  expect(run('settings', 'reset', 'person_identify_threshold')).toExit(0)
  const row = { name: 'person_identify_threshold', value: 0.8, origin: 'file', initial: 0.8 }
  expect(JSON.parse(run('settings', '--json').stdout)).toContainEqual(row)
  expect(run('settings', 'set', 'person_identify_threshold', '90')).toExit(
    2,
    'person_identify_threshold takes a number from 0 to 1, or off, not "90".',
  )
  expect(run('settings', 'set', 'gae', 'on')).toExit(2)
  const { stdout } = run('audit', 'list')
  expect(stdout).toContain('"owner":null,"action":"settings.update"')
  expect(stdout).toContain('"subject":{"person_identify_threshold":"reset"}')
})

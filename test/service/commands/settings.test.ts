/** `mien settings` on a stopped service. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openWorld } from '../core/operations/world.ts'
import { typed } from './typed.ts'

it('mien settings lists settings with their origins, changes and resets them, and says so in the audit log', {
  tags: 'long',
}, async () => {
  const { data, close } = await openWorld()
  await close()
  await writeFile(join(data, 'facenapi.ini'), 'person_identify_threshold = 0.8\n')
  const run = (...args: string[]) => typed([...args, '--data', data], { MIEN_PERSON_IDENTIFY_GLOBAL: 'true' })
  const origins = () =>
    JSON.parse(run('settings', '--json').stdout).map(
      ({ value, origin }: Record<string, unknown>) => `${value} ${origin}`,
    )
  expect(origins()).toEqual([
    'false default',
    'true environment',
    '0.8 file',
    'false default',
    '24 default',
    'false default',
  ])
  expect(run('settings', 'set', 'person_identify', 'On')).toMatchObject({ status: 0, said: '' })
  expect(run('settings', 'set', 'person_identify_threshold', '.9')).toMatchObject({ status: 0 })
  expect(origins()).toEqual([
    'true setting',
    'true environment',
    '0.9 setting',
    'false default',
    '24 default',
    'false default',
  ])
  expect(run('settings').said).toMatch(/person_identify +true +setting +false/)
  expect(run('settings', 'reset', 'person_identify_threshold')).toMatchObject({ status: 0 })
  expect(origins()).toEqual([
    'true setting',
    'true environment',
    '0.8 file',
    'false default',
    '24 default',
    'false default',
  ])
  expect(run('settings', 'set', 'person_identify_threshold', '90')).toMatchObject({
    status: 2,
    said: expect.stringContaining('person_identify_threshold takes a number from 0 to 1, or off, not "90".'),
  })
  expect(run('settings', 'set', 'person_identify_threshold', 'off')).toMatchObject({ status: 0 })
  expect(run('settings').said).toMatch(/person_identify_threshold +off +setting +0.8/)
  expect(origins()[2]).toBe('null setting')
  expect(run('settings', 'set', 'backup_hours', '6')).toMatchObject({ status: 0 })
  expect(run('settings', 'set', 'backup_hours', '1.5')).toMatchObject({
    status: 2,
    said: expect.stringContaining('backup_hours takes a whole number from 0 to 576, not "1.5".'),
  })
  expect(run('settings', 'set', 'gae', 'on')).toMatchObject({ status: 2 })
  const { stdout } = run('audit', 'list')
  expect(stdout).toContain('"owner":null,"action":"settings.update"')
  expect(stdout).toContain('"subject":{"person_identify_threshold":"reset"}')
})

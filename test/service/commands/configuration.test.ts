/** The configuration file of npm start. */
import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startService } from '#bench/harness/service.ts'

const MIEN = join(import.meta.dirname, '..', '..', '..', 'commands', 'mien.js')

describe('the configuration file of npm start', { tags: 'long' }, () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mien-configuration-'))
  })
  afterEach(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }))

  it('with a bad value stops the start, and the error names the place', async () => {
    const file = join(folder, 'my.ini')
    await writeFile(file, 'person_identify = True\nperson_identify_threshold = 75\n')
    const args = [MIEN, 'start', '--data', folder, '--config', file, '--edge-port', '0', '--core-port', '0']
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    expect(status).toBe(1)
    expect(stderr).toContain(`${file}:2:29: person_identify_threshold must be a number from 0 to 1.`)
  })

  it('with an unknown option is used, and the option is reported', async () => {
    await writeFile(join(folder, 'facenapi.ini'), 'person_identified = True\n')
    const service = await startService({ data: folder })
    await service.stop()
    expect(service.output()).toContain('person_identified is not an option of this service.')
  })
})

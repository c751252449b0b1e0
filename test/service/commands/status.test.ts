import { inject } from 'vitest'
import { clientOf, form, sample } from '#test/support/client.ts'
import { runMien } from '#test/support/typed.ts'
import manifest from '../../../package.json' with { type: 'json' }
import { temporaryPath } from '../../unit/core/folder.ts'
import { openWorld } from '../core/operations/world.ts'

const data = inject('data')

function status(...args: string[]) {
  const { status: code, stdout } = runMien(['status', '--json', ...args])
  return { code, status: JSON.parse(stdout) }
}

describe('mien status', () => {
  it('shows both halves, galleries, shards, disk and the last backup of a running service', async () => {
    const api = clientOf(inject('edge'), inject('token'))
    await expect(api('POST', '/v0/face', form({ photo: await sample(1), meta: 'x' }))).toAnswer(200)
    expect(runMien(['backup', await temporaryPath('copy'), '--data', data]).status).toBe(0)
    const { code, status: found } = status('--data', data)
    expect(found).toMatchObject({
      state: 'ready',
      version: manifest.version,
      data,
      core: { url: inject('core'), up: true, state: 'ready' },
      edge: { url: inject('edge'), up: true, state: 'ready' },
      pack: 'standard',
      problems: [],
    })
    expect(code).toBe(0)
    expect(found.galleries.vectors).toBeGreaterThan(0)
    expect(found.galleries.largest).toContainEqual(
      expect.objectContaining({
        gallery: expect.stringMatching(/_/),
        owner: expect.any(String),
        name: expect.stringMatching(/^[^_]+$/),
        index: expect.any(String),
      }),
    )
    expect(found.shards).toContainEqual({ address: 'local', cells: expect.any(String), state: 'up' })
    expect(found.disk.free).toBeGreaterThan(found.disk.needed)
    expect(Date.parse(found.last_backup)).toBeGreaterThan(0)
  })

  it('prints it for people, without colours in a pipe', () => {
    const { status: code, stdout, stderr } = runMien(['status', '--data', data])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain(`Mien ${manifest.version} is ready.`)
    expect(stdout).toMatch(/^Mien \S+ is ready\.\n\n {2}core {4}ready {2}http:/)
    expect(stdout).toMatch(/\n {2}backup {2}(none|\d{4}-\d\d-\d\d \d\d:\d\d UTC, today)\n/)
    expect(stdout).toMatch(/\nOWNER +GALLERY +FACES +INDEXED +INDEX\n/)
    expect(stdout).toMatch(/\nstarter +default +\d+ /)
    expect(stdout).not.toMatch(/[0-9a-f]{24}_/)
    expect(stdout).toMatch(/\nSHARD +CELLS +STATE\n/)
    expect(stdout).not.toContain('\u001b')
  })

  it('shows everything but the galleries without the operator token', { tags: 'long' }, () => {
    const env = { MIEN_OPERATOR_TOKEN: 'x'.repeat(32) }
    const { status: code, stdout } = runMien(['status', '--data', data], env)
    expect(code).toBe(0)
    expect(stdout).toContain('store   not known: core needs MIEN_OPERATOR_TOKEN')
    expect(stdout).not.toContain(env.MIEN_OPERATOR_TOKEN)
  })

  it('says that no service runs on a folder', { tags: 'long' }, async () => {
    const world = await openWorld()
    await world.close()
    const { code, status: found } = status('--data', world.data)
    expect({ code, state: found.state, last_backup: found.last_backup }).toEqual({
      code: 1,
      state: 'stopped',
      last_backup: null,
    })
    expect(found.problems[0]).toContain('not running')
  })
})

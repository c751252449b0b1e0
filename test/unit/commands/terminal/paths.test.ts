import { homedir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { defaultData } from '#commands/terminal/paths.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..', '..')

describe('the default data folder', () => {
  it('of the repository is data in the project', () => {
    expect(defaultData({ XDG_DATA_HOME: '/elsewhere' })).toBe(join(ROOT, 'data'))
  })

  it.each([
    [{}, join(homedir(), '.local', 'share', 'mien')],
    [{ XDG_DATA_HOME: '' }, join(homedir(), '.local', 'share', 'mien')],
    [{ XDG_DATA_HOME: '/elsewhere' }, join('/elsewhere', 'mien')],
  ])('of a release with the variables %o is %s', (env, folder) => {
    expect(defaultData(env, true)).toBe(folder)
  })
})

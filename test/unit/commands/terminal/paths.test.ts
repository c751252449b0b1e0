import { homedir } from 'node:os'
import { join } from 'node:path'
import { defaultData } from '#commands/terminal/paths.ts'

it.each([
  [{}, join(homedir(), '.local', 'share', 'mien')],
  [{ XDG_DATA_HOME: '' }, join(homedir(), '.local', 'share', 'mien')],
  [{ XDG_DATA_HOME: '/elsewhere' }, join('/elsewhere', 'mien')],
])('the default data folder of a release with the variables %o is %s', (env, folder) => {
  expect(defaultData(env, true)).toBe(folder)
})

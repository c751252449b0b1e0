/** `mien doctor --verify`: files of a release that somebody changed, removed or added. */
import { spawnSync } from 'node:child_process'
import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import {
  compareFolder,
  filesBelow,
  parseSums,
  SUMS_FILE,
  sumsOf,
  sumsText,
} from '#commands/doctor/release-sums.ts'
import { temporaryFolder } from '../../core/folder.ts'

it('finds changed, missing and added files, in a list that sha256sum accepts', async () => {
  const folder = await temporaryFolder()
  await mkdir(join(folder, 'core', 'node_modules', '.bin'), { recursive: true })
  for (const name of ['a', 'core/b', 'core/c']) await writeFile(join(folder, name), name)
  // npm makes links in an installation.
  await symlink(join(folder, 'a'), join(folder, 'core', 'node_modules', '.bin', 'a'))
  const list = sumsText(await sumsOf(folder, await filesBelow(folder)))
  await writeFile(join(folder, SUMS_FILE), list)
  expect(spawnSync('sha256sum', ['--check', '--strict', SUMS_FILE], { cwd: folder }).status).toBe(0)
  expect(await compareFolder(folder, 'list', parseSums(list))).toEqual({
    grade: 'ok',
    text: 'All 3 files are as list says.',
  })
  await writeFile(join(folder, 'a'), 'b')
  await rm(join(folder, 'core', 'b'))
  await writeFile(join(folder, 'core', 'd'), '')
  const { grade, text } = await compareFolder(folder, 'list', parseSums(list))
  expect(grade).toBe('problem')
  expect(text).toBe('Files are not as list says. 1 changed: a; 1 missing: core/b; 1 added: core/d.')
})

it('finds packages that npm put beside a release in a project', async () => {
  const packages = join(await temporaryFolder(), 'node_modules')
  const [folder, inside, beside] = ['mien', 'mien/node_modules/x', 'x'].map(name => join(packages, name))
  await mkdir(inside!, { recursive: true })
  await writeFile(join(inside!, 'bin'), 'x')
  const sums = await sumsOf(folder!, await filesBelow(folder!))
  await rename(inside!, beside!)
  expect(await compareFolder(folder!, 'list', sums)).toMatchObject({ grade: 'ok' })
  for (const name of ['bin', 'y']) await writeFile(join(beside!, name), 'y')
  const { text } = await compareFolder(folder!, 'list', sums)
  expect(text).toBe('Files are not as list says. 1 changed: node_modules/x/bin; 1 added: node_modules/x/y.')
})

it('refuses a list of another format', () => {
  expect(() => parseSums('{"a": "b"}')).toThrow('expected lines of sha256sum, got "{"a": "b"}"')
})

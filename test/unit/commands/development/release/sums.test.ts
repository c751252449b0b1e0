/** The list of a release's files, which sha256sum checks. */
import { spawnSync } from 'node:child_process'
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { filesBelow, SUMS_FILE, sumsOf, sumsText } from '#commands/development/release/sums.ts'
import { temporaryFolder } from '../../../core/folder.ts'

it('sha256sum accepts the files of a release, and finds a changed and a missing one', async () => {
  const folder = await temporaryFolder()
  await mkdir(join(folder, 'core', 'node_modules', '.bin'), { recursive: true })
  for (const name of ['a', 'core/b', 'core/c']) await writeFile(join(folder, name), name)
  // npm makes links in an installation.
  await symlink(join(folder, 'a'), join(folder, 'core', 'node_modules', '.bin', 'a'))
  await writeFile(join(folder, SUMS_FILE), sumsText(await sumsOf(folder, await filesBelow(folder))))
  const check = () =>
    spawnSync('sha256sum', ['--check', '--strict', SUMS_FILE], { cwd: folder, encoding: 'utf8' })
  expect(check()).toMatchObject({ status: 0, stdout: 'a: OK\ncore/b: OK\ncore/c: OK\n' })
  await writeFile(join(folder, 'a'), 'b')
  await rm(join(folder, 'core', 'b'))
  expect(check()).toMatchObject({ status: 1, stdout: 'a: FAILED\ncore/b: FAILED open or read\ncore/c: OK\n' })
})

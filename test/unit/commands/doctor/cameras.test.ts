/** The check of ffmpeg, with programs that answer as ffmpeg does. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ffmpeg } from '#commands/doctor/installation.ts'
import { temporaryFolder } from '../../core/folder.ts'

const check = (program: string, data = '/data') =>
  ffmpeg({ data, exists: false, ready: undefined, env: { MIEN_FFMPEG: program } })

it('a machine without ffmpeg is not ok: it cannot watch cameras, and has a problem after "mien start --watch"', async () => {
  const folder = await temporaryFolder()
  const remedy = expect.stringContaining('Install ffmpeg 5')
  expect(await check(join(folder, 'ffmpeg'), folder)).toMatchObject({ grade: 'note', remedy })
  await writeFile(join(folder, 'watcher-token'), '')
  expect(await check(join(folder, 'ffmpeg'), folder)).toMatchObject({ grade: 'problem', remedy })
})

it.skipIf(process.platform === 'win32').each([
  ['4.4.2-0ubuntu0.22.04.1', 'warning'],
  ['5.1.9-0+deb12u1', 'ok'],
  ['n7.1', 'ok'],
  ['N-112233-gabcdef', 'ok'],
])('ffmpeg %s is %s', async (version, grade) => {
  const program = join(await temporaryFolder(), 'ffmpeg')
  await writeFile(program, `#!/bin/sh\necho "ffmpeg version ${version} Copyright (c)"\n`, { mode: 0o755 })
  expect(await check(program)).toMatchObject({ grade })
})

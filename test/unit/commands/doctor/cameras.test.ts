/** The check of ffmpeg, with programs that answer as ffmpeg does. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ffmpeg } from '../../../../commands/doctor/cameras.ts'
import { temporaryFolder } from '../../core/folder.ts'

const check = (program: string) =>
  ffmpeg({ data: '/data', exists: false, ready: undefined, env: { MIEN_FFMPEG: program } })

it('a machine without ffmpeg can do everything but watch cameras, and the text says how to get it', async () => {
  const finding = await check(join(await temporaryFolder(), 'ffmpeg'))
  expect(finding).toMatchObject({ grade: 'ok', text: expect.stringContaining('Install ffmpeg 5') })
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

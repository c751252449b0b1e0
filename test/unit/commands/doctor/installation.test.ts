/** Checks of the installation: modes of files, models of a pack that is not whole, and programs that answer as ffmpeg does. */
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { detection, ffmpeg, models, modes } from '#commands/doctor/installation.ts'
import { temporaryFolder } from '../../core/folder.ts'

const at = (data: string, env: NodeJS.ProcessEnv = {}) => ({ data, exists: true, ready: undefined, env })

it.skipIf(process.platform === 'win32')(
  'files that others may use are a problem, and are named',
  async () => {
    const data = await temporaryFolder()
    await mkdir(join(data, 'vectors'), { mode: 0o700 })
    await writeFile(join(data, 'vectors', 'rows.db'), 'x', { mode: 0o600 })
    expect(await modes(at(data))).toMatchObject({ grade: 'ok' })
    await chmod(join(data, 'vectors', 'rows.db'), 0o640)
    expect(await modes(at(data))).toMatchObject({
      grade: 'problem',
      text: 'Other users may use 1 file: vectors/rows.db.',
    })
  },
)

it('missing files of the pack are a warning with the command that brings them, and nothing is detected', async () => {
  const data = await temporaryFolder()
  expect(await models(at(data))).toMatchObject({ grade: 'ok' })
  const pulled = at(data, { MIEN_PACK: 'opencv' })
  expect(await models(pulled)).toMatchObject({
    grade: 'warning',
    text: expect.stringContaining('sface_2021dec.onnx is missing'),
    remedy: 'Run: mien models pull opencv.',
  })
  expect(await detection(pulled)).toMatchObject({ grade: 'warning' })
})

it('a damaged file of the pack is a problem', async () => {
  const data = await temporaryFolder()
  const folder = join(data, 'packs', 'opencv')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'face_recognition_sface_2021dec.onnx'), 'x')
  expect(await models(at(data, { MIEN_PACK: 'opencv' }))).toMatchObject({ grade: 'problem' })
})

const check = (PATH: string, data = '/data') =>
  ffmpeg({ data, exists: false, ready: undefined, env: { PATH } })

it('a machine without ffmpeg is not ok: it cannot watch cameras, and has a problem after "mien start --watch"', async () => {
  const folder = await temporaryFolder()
  const remedy = expect.stringContaining('Install ffmpeg 5')
  expect(await check(folder, folder)).toMatchObject({ grade: 'note', remedy })
  await writeFile(join(folder, 'watcher-token'), '')
  expect(await check(folder, folder)).toMatchObject({ grade: 'problem', remedy })
})

it.skipIf(process.platform === 'win32').each([
  ['4.4.2-0ubuntu0.22.04.1', 'warning'],
  ['5.1.9-0+deb12u1', 'ok'],
  ['N-112233-gabcdef', 'ok'],
])('ffmpeg %s is %s', async (version, grade) => {
  const folder = await temporaryFolder()
  await writeFile(join(folder, 'ffmpeg'), `#!/bin/sh\necho "ffmpeg version ${version} Copyright (c)"\n`, {
    mode: 0o755,
  })
  expect(await check(folder)).toMatchObject({ grade })
})

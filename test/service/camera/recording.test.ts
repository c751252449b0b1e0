/** `mien watch --file` against the real service, with a recording of the system's ffmpeg. Skipped without ffmpeg. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ffmpeg, hasFfmpeg, movingClip } from '#test/support/photos/clips.ts'
import { newOwner, watching } from './watching.ts'

const folder = mkdtempSync(join(tmpdir(), 'mien-test-'))
const file = join(folder, 'friday.mp4')
afterAll(() => rmSync(folder, { recursive: true }))

const START = '2026-11-27T19:00+01:00'

describe.skipIf(!hasFfmpeg)('a recording', { tags: ['long', 'ffmpeg'] }, () => {
  /** Three people at its start, and three others after 130 seconds. */
  beforeAll(() => {
    const clips = ([1, 3] as const).map(sample => {
      const path = join(folder, `${sample}.ts`)
      movingClip(path, { seconds: 6, size: '720x480', sample })
      return path
    })
    const pads =
      '[0]tpad=stop_duration=124:color=black[a];[1]tpad=stop_duration=9:color=black[b];[a][b]concat'
    ffmpeg(
      ...clips.flatMap(path => ['-i', path]),
      '-filter_complex',
      pads,
      '-c:v',
      'mpeg4',
      '-q:v',
      '3',
      file,
    )
  })

  const reading = (token: string, name: string) =>
    watching(token, ['--file', file, '--camera', name, '--start', START, '--fps', '2'])

  it('makes the events of a live camera at its own times, with snapshots and clips, once', async () => {
    const { admin, camera, faces } = newOwner()
    const id = await camera({ meta: 'friday', options: { snapshot: true, clip: true } })
    const watch = reading(admin, 'friday')
    expect(await watch.exited).toBe(0)
    expect(await watch.line('recording read')).toMatchObject({ camera: id, read: 145, of: 145, visits: 6 })
    const found = await faces()
    const seconds = found.map(({ timestamp }) => (Date.parse(`${timestamp}Z`) - Date.parse(START)) / 1_000)
    expect(seconds.filter(time => time >= 0 && time < 6)).toHaveLength(3)
    expect(seconds.filter(time => time >= 130 && time < 136)).toHaveLength(3)
    for (const { snapshot, clip, cam_id } of found)
      expect([snapshot, clip, cam_id]).toEqual([
        expect.any(String),
        expect.any(String),
        id.replaceAll('-', ''),
      ])
    const again = reading(admin, id)
    expect(await again.exited).toBe(0)
    expect(again.count('visit posted')).toBe(0)
    expect((await faces()).map(face => face.id)).toEqual(found.map(face => face.id))
  })

  it('that was killed is read on from the last moment without people, and no visit is doubled', async () => {
    const { admin, faces } = newOwner()
    const killed = reading(admin, 'saturday')
    await killed.line('visit posted', undefined, 4)
    await killed.stop('SIGKILL')
    const watch = reading(admin, 'saturday')
    expect(await watch.line('recording open')).toMatchObject({ read: 120 })
    expect(await watch.exited).toBe(0)
    expect(new Set((await faces()).map(face => face.cam_id)).size).toBe(1)
    expect(await faces()).toHaveLength(6)
  })

  it('that cannot be read, and a wrong time, are named', async () => {
    const text = join(folder, 'text.mp4')
    writeFileSync(text, 'no video')
    const { admin } = newOwner()
    const ends = [
      [text, START, 1, `${text} is no video that ffmpeg can read.`],
      [join(folder, 'none.mp4'), START, 1, `There is no ${join(folder, 'none.mp4')}.`],
      [folder, START, 1, `${folder} is no video that ffmpeg can read.`],
      [file, '2999-01-01', 2, 'Expected a time in the past'],
    ] as const
    for (const [path, start, code, message] of ends) {
      const watch = watching(admin, ['--file', path, '--camera', 'door', '--start', start])
      expect(await watch.exited).toBe(code)
      expect(watch.output()).toContain(message)
    }
    const watch = watching(admin, ['--file', file])
    expect(await watch.exited).toBe(2)
    expect(watch.output()).toContain('A recording needs --file, --camera and --start')
  })
})

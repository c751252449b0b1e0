/** `mien watch --file` against the real service, with a recording of the system's ffmpeg. Skipped without ffmpeg. */

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CAMERA_LIMITS } from '#contract/limits/cameras.ts'
import { form } from '#test/support/client.ts'
import { ffmpeg, hasFfmpeg, movingClip } from '#test/support/photos/clips.ts'
import { sharedFolder } from '#test/unit/core/folder.ts'
import { newOwner, startWatch } from './watching.ts'

const folder = sharedFolder()
const file = join(folder, 'friday.mp4')

const START = '2026-11-27T19:00+01:00'

describe.skipIf(!hasFfmpeg)('a recording', { tags: ['long', 'ffmpeg'], timeout: 300_000 }, () => {
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

  const reading = (token: string, name: string, path = file, ...more: string[]) =>
    startWatch(token, ['--file', path, '--camera', name, '--start', START, '--fps', '2', ...more])

  /** Three faces are of the start, and three of 130 seconds later. */
  function expectTimes(found: { timestamp: string }[]) {
    const seconds = found.map(({ timestamp }) => (Date.parse(`${timestamp}Z`) - Date.parse(START)) / 1_000)
    expect(seconds.filter(time => time >= 0 && time < 6)).toHaveLength(3)
    expect(seconds.filter(time => time >= 130 && time < 136)).toHaveLength(3)
  }

  /** A program that stands for ffmpeg. The lines replace the reading of frames. */
  const programOf = (name: string, lines: string) => {
    const path = join(folder, name)
    const script = `#!/bin/sh\ncase "$*" in *image2pipe*) ${lines} ;; esac\nexec ffmpeg "$@"\n`
    writeFileSync(path, script, { mode: 0o755 })
    return path
  }

  it('makes the events of a live camera at its own times, with snapshots and clips, once', async () => {
    const { admin, camera, faces } = newOwner()
    const id = await camera({ meta: 'friday', options: { snapshot: true, clip: true } })
    const watch = reading(admin, 'friday')
    expect(await watch.exited).toBe(0)
    expect(await watch.line('recording read')).toMatchObject({ camera: id, read: 145, of: 145, visits: 6 })
    const found = await faces()
    expectTimes(found)
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

  it('is read to its end when its pictures change their size or ffmpeg is killed, and no visit is doubled', async () => {
    const [small, larger, path] = ['1.ts', 'larger.ts', 'sizes.ts'].map(name => join(folder, name))
    movingClip(larger!, { seconds: 6, size: '960x540', sample: 3 })
    const later = ['-c:v', 'mpeg2video', '-q:v', '3', '-output_ts_offset', '6']
    ffmpeg('-i', larger!, '-vf', 'tpad=start_duration=8:color=black', ...later, path!)
    writeFileSync(path!, Buffer.concat([small!, path!].map(part => readFileSync(part))))
    const { admin, faces } = newOwner()
    const kill = 'if mkdir "$0.killed"; then ffmpeg "$@" | head -c 5000000; kill -9 $$; fi'
    const watch = reading(admin, 'sizes', path, '--ffmpeg', programOf('once', kill))
    expect(await watch.exited).toBe(0)
    expect(await watch.line('recording reopened')).toMatchObject({ reason: 'killed' })
    expect(watch.output()).toContain('"reason":"resized"')
    const found = await faces()
    expect(found).toHaveLength(6)
    expect(found.some(({ x2 }) => x2 > 720)).toBe(true)
  })

  it('is not at its end when ffmpeg is killed again and again', async () => {
    const { admin } = newOwner()
    const watch = reading(admin, 'monday', file, '--ffmpeg', programOf('never', 'kill -9 $$'))
    expect(await watch.exited).toBe(1)
    expect(watch.output()).toContain(`${file} can't be read on: killed.`)
  })

  it('is read on after an hour with a person always in the picture', async () => {
    const clips = ([1, 3] as const).map(sample => join(folder, `${sample}.ts`))
    const path = join(folder, 'hour.mkv')
    const black = 'color=black:s=720x480:r=1/60:d=3600,setsar=1'
    ffmpeg(
      '-i',
      clips[0]!,
      '-f',
      'lavfi',
      '-i',
      black,
      '-i',
      clips[1]!,
      '-filter_complex',
      '[0][1][2]concat=n=3',
      '-fps_mode',
      'vfr',
      '-c:v',
      'libx264',
      '-bf',
      '0',
      path,
    )
    const { admin, faces } = newOwner()
    // The first people are in the picture until they were away for a day.
    const watch = reading(admin, 'hour', path, '--absence', '86400')
    expect(await watch.exited).toBe(0)
    expect(await faces()).toHaveLength(6)
    const again = reading(admin, 'hour', path, '--absence', '86400')
    expect(await again.line('recording open')).toMatchObject({ read: 3_600 })
    expect(await again.exited).toBe(0)
    expect(await faces()).toHaveLength(6)
  })

  /** An owner with a camera and its watchers, and a function that uploads a file as the console does. */
  async function uploading() {
    const owner = newOwner()
    const id = await owner.camera({ meta: 'upload', options: { snapshot: true } })
    const put = (bytes: Uint8Array<ArrayBuffer>, at: number) => {
      const piece = bytes.slice(at, at + CAMERA_LIMITS.recordingPieceBytes)
      const fields = { start: START, size: String(bytes.length), at: String(at), piece }
      return owner.send('PUT', `/v1/camera/${id}/recording`, form(fields))
    }
    return {
      ...owner,
      id,
      watch: () => startWatch(owner.token, ['--fps', '2']),
      async upload(bytes: Uint8Array<ArrayBuffer>) {
        await vi.waitFor(async () => expect(await put(bytes, 0)).toAnswer(200), 30_000)
        for (let at = 0; at < bytes.length; ) at = (await put(bytes, at)).body.received
      },
      /** The result, when there is one. */
      ended: () =>
        vi.waitFor(
          async () => {
            const { recording } = (await owner.send('GET', `/v1/camera/${id}`)).body
            expect(recording).toMatchObject({ end: expect.any(String), received: 0 })
            return recording
          },
          { timeout: 120_000, interval: 500 },
        ),
    }
  }

  it('that is uploaded is read by the watcher, or by the next watcher after a kill, and no visit is doubled', async () => {
    const { id, watch, upload, ended, faces } = await uploading()
    // The index of the file is in front of bytes that ffmpeg skips, in a later piece than its start.
    const free = Buffer.alloc(CAMERA_LIMITS.recordingPieceBytes)
    free.writeUInt32BE(free.length)
    free.write('free', 4)
    const killed = watch()
    await upload(new Uint8Array(Buffer.concat([readFileSync(file), free])))
    await killed.line('visit posted', id, 3)
    await killed.stop('SIGKILL')
    const next = watch()
    expect(await ended()).toMatchObject({ end: 'read', of: 145, visits: 6 })
    expect(next.count('recording read', id)).toBe(1)
    const found = await faces()
    expectTimes(found)
    expect(found.map(({ snapshot }) => snapshot)).toEqual(found.map(() => expect.any(String)))
  })

  it('that is uploaded and no video is named', async () => {
    const { watch, upload, ended } = await uploading()
    watch()
    await upload(Buffer.from('no video'))
    expect(await ended()).toMatchObject({ end: 'no video' })
  })

  it('that cannot be read, and a wrong time, are named', async () => {
    const text = join(folder, 'text.mp4')
    writeFileSync(text, 'no video')
    const playlists = {
      'hls.mp4': `#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\n${folder}/1.ts\n#EXT-X-ENDLIST\n`,
      'list.ffconcat': 'ffconcat version 1.0\nfile 1.ts\n',
      'stream.sdp': 'v=0\nc=IN IP4 127.0.0.1\nm=video 5004 RTP/AVP 96\na=rtpmap:96 H264/90000\n',
    }
    const { admin } = newOwner()
    const ends = [
      ...Object.entries(playlists).map(([name, content]) => {
        writeFileSync(join(folder, name), content)
        return [join(folder, name), START, 1, `${join(folder, name)} is a playlist`] as const
      }),
      [text, START, 1, `${text} is no video that ffmpeg can read.`],
      [join(folder, 'none.mp4'), START, 1, `There is no ${join(folder, 'none.mp4')}.`],
      [folder, START, 1, `${folder} is no video that ffmpeg can read.`],
      [file, '2999-01-01', 2, 'Expected a time in the past'],
    ] as const
    for (const [path, start, code, message] of ends) {
      const watch = startWatch(admin, ['--file', path, '--camera', 'door', '--start', start])
      expect(await watch.exited).toBe(code)
      expect(watch.output()).toContain(message)
    }
    const watch = startWatch(admin, ['--file', file])
    expect(await watch.exited).toBe(2)
    expect(watch.output()).toContain('A recording needs --file, --camera and --start')
  })
})

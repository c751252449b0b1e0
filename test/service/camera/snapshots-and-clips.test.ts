/** Snapshots and clips of `mien watch`, with a camera made by the system's ffmpeg. Skipped without ffmpeg. */

import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { openSender } from '#camera/footage/sender.ts'
import { openOutbox } from '#camera/outbox.ts'
import type { VisitEvent } from '#camera/visit-event.ts'
import { MienClient } from '#clients/typescript/src/index.ts'
import type { Log } from '#core/log.ts'
import { sample } from '#test/support/client.ts'
import { ffmpeg, hasFfmpeg, movingClip } from '#test/support/photos/clips.ts'
import { sharedFolder } from '#test/unit/core/folder.ts'
import { newOwner, startWatch } from './watching.ts'

const folder = sharedFolder()

const OPTIONS = { snapshot: true, clip: true }

/** Visits on clips that are repeated without end are posted when they are long. */
const ARGS = ['--files', folder, '--longest', '3']

/** What ffprobe says about a file: `codec,width,seconds`. */
function probed(bytes: Uint8Array) {
  const path = join(folder, 'probed.mp4')
  writeFileSync(path, bytes)
  const entries = ['-show_entries', 'stream=codec_name,width,duration', '-of', 'csv=p=0']
  const { stdout, stderr } = spawnSync('ffprobe', ['-v', 'error', ...entries, path], { encoding: 'utf8' })
  expect(stderr).toBe('')
  return stdout.trim().split(',')
}

const TIME = '2026-01-01T00:00:00Z'

const fetched = async (link: string) => new Uint8Array(await (await fetch(link)).arrayBuffer())

describe.skipIf(!hasFfmpeg)('the snapshots and clips of mien watch', { tags: ['long', 'ffmpeg'] }, () => {
  beforeAll(() => {
    movingClip(join(folder, 'door.ts'), { seconds: 30, size: '960x640' })
    const hevc = ['-c:v', 'libx265', '-preset', 'ultrafast', '-g', '25', '-t', '15']
    ffmpeg('-i', join(folder, 'door.ts'), ...hevc, join(folder, 'hevc.ts'))
    ffmpeg('-i', join(folder, 'door.ts'), '-c:v', 'rawvideo', '-t', '4', join(folder, 'raw.nut'))
  })

  it('are the whole picture with the box and the seconds around it, and are deleted with the face', async () => {
    const { token, camera, faces, send } = newOwner()
    const id = await camera({ url: 'hevc.ts', options: OPTIONS })
    const left = mkdtempSync(join(tmpdir(), 'mien-clip-'))
    utimesSync(left, 0, 0)
    const watch = startWatch(token, ARGS)
    await watch.line('footage sent', id, 6)
    expect(await watch.stop()).toBe(0)
    const kept = (await faces()).filter(face => face.snapshot && face.clip)
    expect(kept.length).toBeGreaterThanOrEqual(3)
    for (const { snapshot, clip, x2, y2, detector_info } of kept) {
      expect(await sharp(await fetched(snapshot)).metadata()).toMatchObject({ format: 'jpeg', width: 960 })
      expect([x2, y2]).toEqual([detector_info.box.x2, detector_info.box.y2])
      const [codec, width, seconds] = probed(await fetched(clip))
      expect([codec, width]).toEqual(['hevc', '960'])
      expect(Number(seconds)).toBeGreaterThan(3)
      expect(Number(seconds)).toBeLessThan(13)
    }
    const [{ id: face, snapshot, clip }] = kept
    await send('DELETE', `/v1/face/id/${face}`)
    for (const link of [snapshot, clip]) await expect(fetch(link)).toAnswer(404)
    expect(existsSync(left)).toBe(false)
  })

  it('are off without the options, and events are posted although their watcher is killed before it sends the clips', async () => {
    const { token, camera, faces } = newOwner()
    const plain = await camera({ url: 'door.ts' })
    const id = await camera({ url: 'door.ts', options: { clip: true } })
    const watch = startWatch(token, ARGS)
    await Promise.all([watch.line('visit posted', plain, 3), watch.line('visit posted', id, 3)])
    await watch.stop('SIGKILL')
    const all = await faces()
    expect(all.filter(({ cam_id }) => cam_id === id.replaceAll('-', ''))).toHaveLength(3)
    expect(all.filter(({ snapshot, cam_id }) => snapshot ?? cam_id === undefined)).toEqual([])
    expect(watch.count('footage sent', plain)).toBe(0)
    for (const { clip } of all) if (clip) expect(probed(await fetched(clip))[0]).toBe('mpeg2video')
  })

  it('leave a camera watched whose video does not fit a clip', async () => {
    const { token, camera } = newOwner()
    const id = await camera({ url: 'raw.nut', options: OPTIONS })
    const watch = startWatch(token, [...ARGS, '--fps', '2'])
    expect(await watch.line('no clip', id)).toMatchObject({ kind: 'clip' })
    expect(await watch.line('footage sent', id)).toMatchObject({ kind: 'snapshot' })
    expect(await watch.stop()).toBe(0)
  })
})

it('the snapshot of the first picture stays when the service ignores a poor picture of the visit', async () => {
  const { edge, token, camera, faces } = newOwner()
  const id = await camera({ options: { snapshot: true } })
  const client = new MienClient({ url: edge, token })
  const lines: string[] = []
  const log: Log = event => void lines.push(event)
  const sender = openSender(client, log)
  const outbox = openOutbox(client, log, { onEnd: sender.posted })
  const photo = await sample(1)
  const box = { x1: 1467, y1: 227, x2: 1675, y2: 428 }
  const event = (picture: Uint8Array): VisitEvent => ({
    camera: id,
    track: 'visit',
    photo: new Uint8Array(picture),
    box,
    frames: 2,
    quality: 0.5,
    isSnapshotKept: true,
    time: TIME,
    firstSeen: TIME,
    lastSeen: TIME,
  })
  const blurred = { ...event(await sharp(photo).blur(12).toBuffer()), isUpdate: true }
  for (const one of [event(photo), blurred]) {
    sender.add(one)
    outbox.add(one)
  }
  expect(await outbox.close(60_000)).toBe(0)
  await sender.close(60_000)
  expect(lines.sort()).toEqual(['footage sent', 'visit posted', 'visit updated'])
  const [face] = await faces()
  expect(await fetched(face.snapshot)).toEqual(photo)
})

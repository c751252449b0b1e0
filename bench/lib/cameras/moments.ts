/** Sizes of the snapshots and clips of a camera. */
import { join } from 'node:path'
import { ffmpeg, movingClip } from '../../harness/clips.ts'
import type { Rig, Served } from '../../rig.ts'
import { fixed, mean } from '../../statistics.ts'
import { addCameras, startWatcher, until } from './watching.ts'

/** As a camera of 720p sends it: H.264 of 2 Mbit/s, with a key frame every 2 seconds. */
const CODEC = ['-c:v', 'libx264', '-preset', 'veryfast', '-b:v', '2M', '-minrate', '2M', '-maxrate', '2M']
const RATE = ['-bufsize', '2M', '-x264-params', 'nal-hrd=cbr', '-g', '50']

/** People before the camera. */
const PEOPLE = 3

/** Mean megabytes of a snapshot and of a clip. */
export async function momentSizes(service: Served, rig: Rig) {
  const folder = await rig.folder()
  const moving = join(folder, 'moving.ts')
  movingClip(moving, { seconds: 40, size: '1280x720', fps: 25 })
  ffmpeg('-i', moving, ...CODEC, ...RATE, join(folder, 'door.mp4'))
  await addCameras(service, 1, { url: 'door.mp4', options: { snapshot: true, clip: true } }, rig)
  const megabytes: Record<string, number[]> = { snapshot: [], clip: [] }
  const watcher = startWatcher(service, ['--files', folder], ({ event, kind, bytes }) => {
    if (event === 'moment sent') megabytes[String(kind)]!.push(Number(bytes) / 1e6)
  })
  rig.defer(() => watcher.stop('SIGKILL'))
  await until(() => megabytes.clip!.length >= PEOPLE, 120_000, 'No clips were sent')
  await watcher.stop('SIGTERM')
  return { snapshot: fixed(mean(megabytes.snapshot!), 2), clip: fixed(mean(megabytes.clip!), 2) }
}

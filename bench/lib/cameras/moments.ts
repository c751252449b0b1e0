/** Sizes of the snapshots and clips of a camera. */
import { join } from 'node:path'
import { ffmpeg } from '../../harness/clips.ts'
import type { Rig, Served } from '../../rig.ts'
import { fixed, mean } from '../../statistics.ts'
import { addCameras, startWatcher, until, writePassing } from './watching.ts'

/** As a camera of 720p sends it: H.264 of constantly 2 Mbit/s, with a key frame every 2 seconds at 10 frames a second. */
const CODEC = ['-c:v', 'libx264', '-preset', 'veryfast', '-b:v', '2M', '-minrate', '2M', '-maxrate', '2M']
const RATE = ['-bufsize', '2M', '-x264-params', 'nal-hrd=cbr', '-g', '20']

/** Mean megabytes of a snapshot and of a clip of people who pass. */
export async function momentSizes(service: Served, rig: Rig) {
  const folder = await rig.folder()
  await writePassing(folder, 'passing.ts')
  ffmpeg('-i', join(folder, 'passing.ts'), ...CODEC, ...RATE, join(folder, 'door.mp4'))
  await addCameras(service, 1, { url: 'door.mp4', options: { snapshot: true, clip: true } }, rig)
  const megabytes: Record<string, number[]> = { snapshot: [], clip: [] }
  const watcher = startWatcher(service, ['--files', folder], ({ event, kind, bytes }) => {
    if (event === 'moment sent') megabytes[String(kind)]!.push(Number(bytes) / 1e6)
  })
  rig.defer(() => watcher.stop('SIGKILL'))
  await until(() => megabytes.clip!.length >= 2, 300_000, 'No clips were sent')
  await watcher.stop('SIGTERM')
  return { snapshot: fixed(mean(megabytes.snapshot!), 2), clip: fixed(mean(megabytes.clip!), 2) }
}

/** Makes a clip of the parts of a stream: one MP4 file that plays at once, without encoding again. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { environment } from '../../contract/environment.ts'
import { PHOTO_LIMITS } from '../../contract/limits/photos.ts'
import type { Parts } from './recorder.ts'

/** Longest time of ffmpeg, which only copies, in milliseconds. */
const FFMPEG_TIMEOUT_MS = 20_000

/** Start of the names of folders of clips. */
const FOLDER_PREFIX = 'mien-clip-'

/** Removes what killed watchers of this user have left. Another one may be at work on younger folders. */
export async function removeLeftClips(): Promise<void> {
  for (const name of await readdir(tmpdir()).catch((): string[] => [])) {
    if (!name.startsWith(FOLDER_PREFIX)) continue
    const path = join(tmpdir(), name)
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }))
    // A folder of another user stays.
    if (environment.now() - mtimeMs > 2 * FFMPEG_TIMEOUT_MS)
      await rm(path, { recursive: true, force: true }).catch(() => {})
  }
}

/**
 * Undefined if there is no stream, or if it makes no clip within the limit of a file. ffmpeg needs a file that it can rewind: it is
 * in a folder that only this user can read, and that is removed.
 */
export async function clipOf(parts: Parts, program = 'ffmpeg'): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (parts.length === 0) return undefined
  const folder = await mkdtemp(join(tmpdir(), FOLDER_PREFIX))
  const path = join(folder, 'clip.mp4')
  try {
    const options = ['-f', 'mp4', '-i', 'pipe:0', '-c', 'copy', '-movflags', '+faststart', path]
    const child = spawn(program, ['-v', 'error', ...options], {
      stdio: ['pipe', 'ignore', 'ignore'],
      timeout: FFMPEG_TIMEOUT_MS,
    })
    // EPIPE: the child has exited.
    child.stdin.on('error', () => {}).end(Buffer.concat(parts))
    const [code] = await once(child, 'close')
    const clip = code === 0 ? await readFile(path) : undefined
    return clip && clip.length <= PHOTO_LIMITS.bytes ? new Uint8Array(clip) : undefined
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

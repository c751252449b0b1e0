/** Clips of visits: people, then an empty scene. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ffmpeg, movingClip } from '../../harness/clips.ts'

export interface VisitClipOptions {
  /** Seconds with people, and seconds of the whole clip. */
  people: number
  seconds: number
  size: string
  /** The photo of the people. */
  sample: 1 | 2 | 3 | 4 | 5 | 6
}

/** Writes the clip to the folder. Returns its path. */
export async function visitClip(
  folder: string,
  name: string,
  { people, seconds, size, sample }: VisitClipOptions,
): Promise<string> {
  const parts = [join(folder, `${name}-people.ts`), join(folder, `${name}-empty.ts`)] as const
  movingClip(parts[0], { seconds: people, size, sample })
  ffmpeg(
    ...['-f', 'lavfi', '-i', `smptebars=s=${size}:r=10:d=${seconds - people}`],
    ...['-c:v', 'mpeg2video', '-q:v', '3', '-pix_fmt', 'yuv420p', parts[1]],
  )
  const joined = join(folder, `${name}-joined.ts`)
  await writeFile(joined, Buffer.concat(await Promise.all(parts.map(part => readFile(part)))))
  const clip = join(folder, `${name}.ts`)
  // New time stamps for the whole clip.
  ffmpeg('-i', joined, '-c:v', 'mpeg2video', '-q:v', '3', '-pix_fmt', 'yuv420p', clip)
  return clip
}

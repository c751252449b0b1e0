/** Clips of visits: people, then an empty scene. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SAMPLES } from '../../harness/client.ts'
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
  emptyClip(parts[1], size, seconds - people)
  return joined(join(folder, `${name}.ts`), parts)
}

/** Left upper corners of the parts of sample1.jpg with one person each. */
const ONE_PERSON = [
  [1_253, 90],
  [193, 250],
] as const

/** Writes a clip of a minute, 1280 x 720: one person for 5 seconds from second 10, another one from second 40. */
export async function passingClip(folder: string, name: string): Promise<string> {
  const [short, long] = [join(folder, `${name}-10.ts`), join(folder, `${name}-25.ts`)]
  emptyClip(short, '1280x720', 10)
  emptyClip(long, '1280x720', 25)
  const people = ONE_PERSON.map(([x, y], i) => {
    const path = join(folder, `${name}-person${i}.ts`)
    const move = `crop=640:360:'10+10*sin(3*t)':'10+10*cos(3*t)'`
    ffmpeg(
      ...['-loop', '1', '-i', join(SAMPLES, 'sample1.jpg'), '-t', '5'],
      ...['-vf', `fps=10,crop=660:380:${x}:${y},${move},scale=1280:720,setsar=1`, ...CODEC, path],
    )
    return path
  })
  const parts = [short, people[0]!, long, people[1]!, short, join(folder, `${name}-5.ts`)]
  emptyClip(parts.at(-1)!, '1280x720', 5)
  return joined(join(folder, `${name}.ts`), parts)
}

const CODEC = ['-c:v', 'mpeg2video', '-q:v', '3', '-pix_fmt', 'yuv420p']

const emptyClip = (path: string, size: string, seconds: number): void =>
  ffmpeg('-f', 'lavfi', '-i', `smptebars=s=${size}:r=10:d=${seconds}`, ...CODEC, path)

/** Joins the parts, with new time stamps for the whole clip. */
async function joined(path: string, parts: readonly string[]): Promise<string> {
  const raw = `${path}.parts`
  await writeFile(raw, Buffer.concat(await Promise.all(parts.map(part => readFile(part)))))
  ffmpeg('-i', raw, ...CODEC, path)
  return path
}

/** Clips of visits: people, then an empty scene. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SAMPLES } from '../../harness/client.ts'
import { ffmpeg, movingClip } from '../../harness/clips.ts'

const CODEC = ['-c:v', 'mpeg2video', '-q:v', '3', '-pix_fmt', 'yuv420p']

/** Writes a clip of three people, who come again after they were away. Returns its path. */
export const visitClip = (folder: string, people: number, away: number): Promise<string> =>
  joined(folder, 'visits', '960x640', [
    path => movingClip(path, { seconds: people, size: '960x640', sample: 1 }),
    away,
  ])

/** Left upper corners of the parts of sample1.jpg with one person each. */
const ONE_PERSON = [
  [1_253, 90],
  [193, 250],
] as const

/** Writes a clip of a minute, 1280 x 720: one person for 5 seconds from second 10, another one from second 40. */
export function passingClip(folder: string, name: string): Promise<string> {
  const [first, second] = ONE_PERSON.map(([x, y]) => (path: string) => {
    const move = `crop=640:360:'10+10*sin(3*t)':'10+10*cos(3*t)'`
    ffmpeg(
      ...['-loop', '1', '-i', join(SAMPLES, 'sample1.jpg'), '-t', '5'],
      ...['-vf', `fps=10,crop=660:380:${x}:${y},${move},scale=1280:720,setsar=1`, ...CODEC, path],
    )
  })
  return joined(folder, name, '1280x720', [10, first!, 25, second!, 15])
}

/** Joins scenes, with new time stamps for the whole clip. A number stands for seconds of an empty scene. */
async function joined(
  folder: string,
  name: string,
  size: string,
  scenes: readonly (number | ((path: string) => void))[],
): Promise<string> {
  const files: Buffer[] = []
  for (const [i, scene] of scenes.entries()) {
    const path = join(folder, `${name}-${i}.ts`)
    if (typeof scene === 'number')
      ffmpeg('-f', 'lavfi', '-i', `smptebars=s=${size}:r=10:d=${scene}`, ...CODEC, path)
    else scene(path)
    files.push(await readFile(path))
  }
  const [path, parts] = [join(folder, `${name}.ts`), join(folder, `${name}.parts`)]
  await writeFile(parts, Buffer.concat(files))
  ffmpeg('-i', parts, ...CODEC, path)
  return path
}

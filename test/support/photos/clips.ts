/** Makes clips for tests and benchmarks of cameras, with the system's ffmpeg, from the sample photos. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { SAMPLES } from '../client.ts'

/** Whether the system has ffmpeg. */
export const hasFfmpeg = spawnSync('ffmpeg', ['-version']).status === 0

interface ClipOptions {
  seconds: number
  /** Size of the picture, `WIDTHxHEIGHT`. */
  size?: string
  /** The photo: sample1.jpg and sample3.jpg show three people. */
  sample?: 1 | 2 | 3 | 4 | 5 | 6
  fps?: number
}

/** Runs ffmpeg. Throws with its messages. */
export function ffmpeg(...args: string[]): void {
  const { status, stderr } = spawnSync('ffmpeg', ['-v', 'error', '-y', ...args])
  if (status !== 0) throw new Error(`ffmpeg failed: ${stderr}`)
}

/** Writes a clip in which the camera moves in circles over a photo. The extension decides the format. */
export function movingClip(
  path: string,
  { seconds, size = '960x640', sample = 1, fps = 10 }: ClipOptions,
): void {
  const [width = 0, height = 0] = size.split('x').map(Number)
  const [margin, larger] = [Math.round(width / 20), `${Math.round(width * 1.1)}:${Math.round(height * 1.1)}`]
  const move = `crop=${width}:${height}:'${margin}+${margin}*sin(2*t)':'${margin / 2}+${margin / 2}*cos(2*t)'`
  ffmpeg(
    '-loop',
    '1',
    '-i',
    join(SAMPLES, `sample${sample}.jpg`),
    '-t',
    String(seconds),
    '-vf',
    `fps=${fps},scale=${larger},${move},setsar=1`,
    '-c:v',
    'mpeg2video',
    '-q:v',
    '3',
    '-pix_fmt',
    'yuv420p',
    path,
  )
}

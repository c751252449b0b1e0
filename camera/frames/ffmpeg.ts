/** Reads the pictures of a camera with the system's ffmpeg, as a child process with time limits. */
import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { environment, type Timer } from '../../contract/environment.ts'
import type { StreamError } from '../../contract/model/camera.ts'
import type { Raster } from '../../wasm/imaging/image.ts'
import type { Turn } from '../tilt.ts'
import { MAX_FRAME_PIXELS, ppmParser } from './ppm.ts'
import type { Source } from './source.ts'

/** Options of an output of ffmpeg, in pipe 3: a fragment of MP4 from each key frame to the next. Without sound. */
const RECORDING = [
  ...['-map', '0:v:0', '-c:v', 'copy', '-f', 'mp4'],
  ...['-movflags', 'frag_keyframe+empty_moov+default_base_moof', 'pipe:3'],
]

/** Why a stream ended. `refused`: it was not opened. */
type StreamEnd = Exclude<StreamError, 'refused'> | 'stopped'

/** Reasons by ffmpeg's messages; the first match counts. */
const REASONS: readonly (readonly [RegExp, StreamEnd])[] = [
  [
    /option .*not found|unrecognized option|error splitting|unknown hwaccel|unrecognized hwaccel/i,
    'bad option',
  ],
  [/exceeds specified max pixel count/i, 'bad picture'],
  [/not on whitelist|not in whitelist/i, 'not allowed'],
  [/\b40[13] |unauthorized|forbidden|authorization failed/i, 'access denied'],
  [/\b404 |not found|no such file/i, 'not found'],
  [/connection refused/i, 'connection refused'],
  [/no route to host|unreachable|failed to resolve|name or service/i, 'unreachable'],
  [/timed out/i, 'timeout'],
  [
    // "partial file": the index of an MP4 file is at its end, and the server cannot send a part of it.
    /could not write header|partial file|invalid data|could not find codec|moov atom|matches no streams|unknown format|does not contain any stream/i,
    'no video',
  ],
]

/** The reason; `ended` when the messages name none. An error of reading after the first frame is the end of the stream. */
export const reasonIn = (messages: string, hasFrames: boolean): StreamEnd =>
  REASONS.find(([pattern]) => pattern.test(messages))?.[1] ??
  (!hasFrames && /input\/output error/i.test(messages) ? 'unreachable' : 'ended')

export interface ReadOptions {
  input: Source
  /** Ends the stream. */
  signal: AbortSignal
  /** Name or path of ffmpeg. */
  program?: string
  /** Longest time in milliseconds to the first frame, and between two frames. */
  firstMs?: number
  silentMs?: number
}

export interface FrameOptions extends ReadOptions {
  /** Frames a second. */
  fps: number
  /** Degrees by which the pictures are turned clockwise: those of a camera that is mounted sideways. */
  rotate?: Turn
  onFrame: (frame: Raster) => void
  /** Takes the stream as the camera sends it, in fragments of MP4. */
  onVideo?: ((chunk: Uint8Array) => void) | undefined
}

/** What ffmpeg writes to standard output, and how it is read. */
interface Output {
  /** Options in front of the input. */
  first?: readonly string[]
  options: readonly string[]
  /** Splits the output. Calls back for each picture, and throws when the output is malformed. */
  parser: (onPicture: () => void) => (chunk: Buffer) => void
  /** Takes what it writes to pipe 3. */
  onVideo?: ((chunk: Uint8Array) => void) | undefined
}

const FIRST_MS = 30_000
const SILENT_MS = 15_000

/** How long ffmpeg may take to close its connection before it is killed, in milliseconds. */
const GRACE_MS = 2_000

/** Characters of ffmpeg's last messages that are kept for the reason. */
const MESSAGES = 8_192

/** Size of a source picture in a line of the filter `showinfo`. */
const SIZE = / s:(\d+x\d+) /

/** Reads frames until the stream ends. Resolves with the reason after the child's process has ended. */
export const readFrames = (options: FrameOptions): Promise<StreamEnd> =>
  readOutput(options, {
    options: [...frameOptions(options), ...(options.onVideo ? RECORDING : [])],
    onVideo: options.onVideo,
    parser: onPicture =>
      ppmParser(frame => {
        onPicture()
        options.onFrame(frame)
      }),
  })

/** A process of ffmpeg; undefined if the machine cannot start one now, for example without free memory or file handles. */
function started(program: string, options: string[], hasVideo: boolean): ChildProcess | undefined {
  try {
    const child = spawn(program, options, {
      stdio: ['pipe', 'pipe', 'pipe', hasVideo ? 'pipe' : 'ignore'],
      // A process group of its own: Ctrl-C reaches the watcher alone, which then ends the child.
      detached: process.platform !== 'win32',
    })
    if (child.stdout) return child
    child.on('error', () => {})
  } catch {
    // The next attempt may succeed.
  }
  return undefined
}

/** Reads pictures until the stream ends. Resolves as `readFrames`. */
export function readOutput(options: ReadOptions, output: Output): Promise<StreamEnd> {
  const { input, signal, program = 'ffmpeg' } = options
  if (signal.aborted) return Promise.resolve('stopped')
  const given = [...FIRST_OPTIONS, ...(output.first ?? []), ...input.options, ...output.options]
  const child = started(program, given, output.onVideo !== undefined)
  if (!child) return Promise.resolve('no program')
  if (output.onVideo) (child.stdio[3] as Readable).on('data', output.onVideo).on('error', () => {})
  const { stdin, stdout, stderr } = child as ChildProcessByStdio<Writable, Readable, Readable>
  return new Promise(resolve => {
    let end: StreamEnd | undefined
    let messages = ''
    let hasFrames = false
    let silence: Timer | undefined
    let grace: Timer | undefined

    const stop = (reason: StreamEnd) => {
      end ??= reason
      if (grace) return
      kill(child, 'SIGTERM')
      grace = environment.timer(() => kill(child, 'SIGKILL'), GRACE_MS)
    }
    const expectFrame = (ms: number) => {
      silence?.cancel()
      silence = environment.timer(() => stop('silent'), ms)
    }
    const parse = output.parser(() => {
      expectFrame(options.silentMs ?? SILENT_MS)
      hasFrames = true
    })
    const onAbort = () => stop('stopped')
    const onSize = sizeWatcher(() => stop('resized'))

    expectFrame(options.firstMs ?? FIRST_MS)
    signal.addEventListener('abort', onAbort, { once: true })
    // EPIPE: the child has exited, and `close` follows.
    stdin.on('error', () => {}).end(input.stdin ?? '')
    stdout.on('data', (chunk: Buffer) => {
      if (end !== undefined) return
      try {
        parse(chunk)
      } catch {
        stop('bad picture')
      }
    })
    stderr.setEncoding('utf8').on('data', (text: string) => {
      messages = (messages + onSize(text)).slice(-MESSAGES)
    })
    child.once('error', () => {
      if (child.pid === undefined) end ??= 'no program'
    })
    // Follows `error`, too.
    child.once('close', () => {
      silence?.cancel()
      grace?.cancel()
      signal.removeEventListener('abort', onAbort)
      resolve(end ?? reasonIn(messages, hasFrames))
    })
  })
}

/** Larger pictures are not decoded: a short stream with pictures of 16K would take 2 GB. */
const FIRST_OPTIONS = [
  ...['-hide_banner', '-nostdin', '-nostats', '-loglevel', 'info'],
  ...['-max_pixels', String(MAX_FRAME_PIXELS)],
]

/** Filters that turn pictures clockwise. */
export const TURNS = {
  0: [],
  90: ['transpose=clock'],
  180: ['hflip', 'vflip'],
  270: ['transpose=cclock'],
} as const

/** PPM pictures on standard output. ffmpeg scales them to the size of the first one, and `showinfo` tells the true size. */
const frameOptions = ({ fps, rotate = 0 }: FrameOptions): string[] => [
  ...['-map', '0:v:0', '-an', '-sn', '-dn'],
  ...['-vf', [`fps=${fps}`, ...TURNS[rotate], 'showinfo=checksum=0'].join()],
  ...['-f', 'image2pipe', '-c:v', 'ppm', '-pix_fmt', 'rgb24', 'pipe:1'],
]

/** Calls back when the size changes. Returns the text without the lines of `showinfo`. */
function sizeWatcher(onChange: () => void): (text: string) => string {
  let line = ''
  let size: string | undefined
  return text => {
    const lines = (line + text).split('\n')
    line = lines.pop()!.slice(-MESSAGES)
    return lines
      .filter(one => {
        if (!one.startsWith('[Parsed_showinfo')) return true
        const found = SIZE.exec(one)?.[1]
        if (found !== undefined && size !== undefined && found !== size) onChange()
        size = found ?? size
        return false
      })
      .map(one => `${one}\n`)
      .join('')
  }
}

/** Signals the child's group. */
function kill(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return
  try {
    if (process.platform === 'win32') child.kill(signal)
    else process.kill(-child.pid, signal)
  } catch {
    // ESRCH: the whole group has exited.
  }
}

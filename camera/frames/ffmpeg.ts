/** Reads the pictures of a camera with the system's ffmpeg, as a child process with time limits. */
import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { environment, type Timer } from '../../contract/environment.ts'
import type { StreamError } from '../../contract/model/camera.ts'
import type { Raster } from '../../wasm/imaging/orientation.ts'
import type { Turn } from '../tilt.ts'
import { type FrameClock, frameClock } from './frame-clock.ts'
import { MAX_FRAME_PIXELS, ppmParser } from './ppm.ts'
import type { Source } from './source.ts'

/** Options of an output of ffmpeg, in pipe 3: a fragment of MP4 from each key frame to the next. Without sound. */
const RECORDING = [
  '-map',
  '0:v:0',
  '-c:v',
  'copy',
  '-f',
  'mp4',
  '-movflags',
  'frag_keyframe+empty_moov+default_base_moof',
  'pipe:3',
]

/** Why a stream ended. `refused`: it was not opened. `untimed`: it has no times. `killed`: by a signal to ffmpeg. */
type StreamEnd = Exclude<StreamError, 'refused'> | 'stopped' | 'untimed' | 'killed'

/** Reasons by ffmpeg's messages; the first match counts. */
const REASONS: readonly (readonly [RegExp, StreamEnd])[] = [
  [
    /option .*not found|unrecognized option|error splitting|unknown hwaccel|unrecognized hwaccel/i,
    'bad option',
  ],
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
  /** Milliseconds of a file at which it is read. The same pictures are chosen wherever that is. */
  from?: number
  /** Degrees by which the pictures are turned clockwise, for a camera that is mounted sideways. */
  rotate?: Turn
  /** Decodes key frames alone: a machine that is too slow then keeps up. */
  isKeyFramesOnly?: boolean
  /** The stream has no times: pictures are chosen and dated by their arrival. */
  isUntimed?: boolean
  /** Share by which the clock of the camera may be too slow. */
  drift?: number
  /** Dates the frames. Default: a clock of `environment.monotonic()`. */
  clock?: FrameClock
  /** `time`: when the frame was current, by the clock. ffmpeg waits while the promise is pending. The promise must not reject. */
  onFrame: (frame: Raster, time: number) => void | Promise<void>
  /** Returns a used frame. The next frame may take its memory. */
  spare?: (() => Raster | undefined) | undefined
  /** Takes the stream as the camera sends it, in fragments of MP4. */
  onVideo?: (chunk: Uint8Array) => void
}

/** What ffmpeg writes to standard output, and how it is read. */
interface Output {
  /** Options in front of the input. */
  first?: readonly string[]
  options: readonly string[]
  /**
   * Splits the output. Calls back for each picture, and throws when the output is malformed. No output is read while a promise is
   * pending. A chunk is freed after the call.
   */
  parser: (onPicture: () => void) => (chunk: Buffer) => void | Promise<void>
  /** Takes a line of ffmpeg's messages. Returns whether it may name the reason of the end. */
  onLine?: (line: string, stop: (reason: StreamEnd) => void) => boolean
  /** Receives the output of pipe 3. */
  onVideo?: (chunk: Uint8Array) => void
}

const FIRST_MS = 30_000
const SILENT_MS = 15_000

/** Greatest size of frames whose times have not come. */
const MAX_WAITING_BYTES = 256 * 1024 * 1024

/** How long ffmpeg may take to close its connection before it is killed, in milliseconds. */
const CLOSE_GRACE_MS = 2_000

/** Exit status of ffmpeg after a signal that it handles. */
const SIGNALLED = 255

/** Characters of ffmpeg's last messages that are kept for the reason. */
const MESSAGES = 8_192

/** Number, time in milliseconds and size of a picture in a line of the filter `showinfo`. Its `pts_time` has six digits only. */
const INFO = / n: *(\d+) pts: *(\S+) .* s:(\d+x\d+) /

/** Reads frames until the stream ends. Resolves with the reason after the child's process has ended. */
export function readFrames(options: FrameOptions): Promise<StreamEnd> {
  const { input, isUntimed = false, onFrame, onVideo } = options
  const { clock = frameClock(options.drift) } = options
  /** Frames and their times come over two pipes. The first frame that waits has the number `next`. */
  const frames: Raster[] = []
  const times = new Map<number, number>()
  let next = 0
  let newest = -1
  /** Frames before the filters began again. */
  let before = 0
  let size: string | undefined
  /** The first frame of another size ends the stream. */
  let resized: { number: number; stop: () => void } | undefined
  let isBehind = false
  let taken: void | Promise<void>
  const pass = () => {
    for (; frames.length > 0 && newest >= next; next++) {
      if (next === resized?.number) return resized.stop()
      const dated = clock.date(times.get(next) ?? Number.NaN)
      times.delete(next)
      isBehind ||= dated.isBehind
      taken = onFrame(frames.shift()!, dated.time)
    }
  }
  return readOutput(options, {
    first: options.isKeyFramesOnly ? ['-skip_frame', 'nokey'] : [],
    options: [...frameOptions(options), ...(onVideo ? RECORDING : [])],
    onVideo,
    parser(onPicture) {
      const parse = ppmParser(frame => {
        onPicture()
        frames.push(frame)
        pass()
        if (frames.length * frame.data.length > MAX_WAITING_BYTES) throw new Error('frames without times')
      }, options.spare)
      return chunk => {
        parse(chunk)
        return taken
      }
    },
    onLine(line, stop) {
      const [, number, time, found] = INFO.exec(line) ?? []
      if (found === undefined) {
        if (/exceeds specified max pixel count/.test(line)) stop('too large')
        if (input.isWeb && !isUntimed && /Stream #0:0.*Video: mjpeg/.test(line)) stop('untimed')
        return !line.startsWith('[Parsed_showinfo')
      }
      // The filters begin again when the pictures change, for example their colours at night.
      if (before + Number(number) <= newest) before = newest + 1
      newest = before + Number(number)
      times.set(newest, Number(time))
      size ??= found
      if (found !== size) resized ??= { number: newest, stop: () => stop('resized') }
      pass()
      if (isBehind) stop('behind')
      return false
    },
  })
}

/** A process of ffmpeg; undefined if the machine cannot start one now, for example without free memory or file handles. */
function startFfmpeg(
  program: string,
  options: string[],
  hasVideo: boolean,
  env: Source['env'],
): ChildProcess | undefined {
  try {
    const child = spawn(program, options, {
      stdio: ['pipe', 'pipe', 'pipe', hasVideo ? 'pipe' : 'ignore'],
      env: { ...process.env, ...env },
      // A separate process group: Ctrl-C reaches only the watcher, and the watcher ends the child.
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
  const child = startFfmpeg(program, given, output.onVideo !== undefined, input.env)
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
      grace = environment.timer(() => kill(child, 'SIGKILL'), CLOSE_GRACE_MS)
    }
    const expectFrame = (ms: number) => {
      silence?.cancel()
      silence = environment.timer(() => stop(hasFrames ? 'stalled' : 'silent'), ms)
    }
    const parse = output.parser(() => {
      expectFrame(options.silentMs ?? SILENT_MS)
      hasFrames = true
    })
    const onAbort = () => stop('stopped')
    const onText = linesOf(line => output.onLine?.(line, stop) ?? true)

    expectFrame(options.firstMs ?? FIRST_MS)
    signal.addEventListener('abort', onAbort, { once: true })
    // EPIPE: the child has exited, and `close` follows.
    stdin.on('error', () => {}).end(input.stdin ?? '')
    stdout.on('data', (chunk: Buffer) => {
      if (end !== undefined) return
      try {
        const parsed = parse(chunk)
        // Frees it at once: the garbage collector would run several times a second. Node 20 cannot.
        ;(chunk.buffer as ArrayBuffer).transfer?.(0)
        if (!parsed) return
        stdout.pause()
        void parsed.then(() => stdout.resume())
      } catch {
        stop('bad picture')
      }
    })
    stderr.setEncoding('utf8').on('data', (text: string) => {
      messages = (messages + onText(text)).slice(-MESSAGES)
    })
    child.once('error', () => {
      if (child.pid === undefined) end ??= 'no program'
    })
    // Follows `error`, too.
    child.once('close', (status, by) => {
      silence?.cancel()
      grace?.cancel()
      signal.removeEventListener('abort', onAbort)
      const isKilled = by !== null || status === SIGNALLED
      resolve(end ?? (isKilled ? 'killed' : reasonIn(messages, hasFrames)))
    })
  })
}

/** Pixels of a picture of 8K. Larger ones are not decoded: a picture of 16K would take 2 GB. */
const MAX_SOURCE_PIXELS = 8_192 * 4_352

const FIRST_OPTIONS = [
  '-hide_banner',
  '-nostdin',
  '-nostats',
  '-loglevel',
  'info',
  '-max_pixels',
  String(MAX_SOURCE_PIXELS),
]

/** Pixels of some cameras are up to twice as wide as high. */
const ASPECT = 'clip(sar,1/4,4)'
const SHRINK_SCALE = `min(1,sqrt(${MAX_FRAME_PIXELS}/(iw*ih*max(${ASPECT},1/${ASPECT}))))`

/** The filter that makes pixels square, and a picture of more than MAX_FRAME_PIXELS smaller. */
export const SQUARE = `scale='trunc(iw*max(1,${ASPECT})*${SHRINK_SCALE})':'trunc(ih*max(1,1/${ASPECT})*${SHRINK_SCALE})',setsar=1`

/** The filter that dates pictures by their arrival. */
export const BY_ARRIVAL = "setpts='(RTCTIME-RTCSTART)/(TB*1000000)'"

/** Filters that turn pictures clockwise. */
export const TURN_FILTERS = {
  0: [],
  90: ['transpose=clock'],
  180: ['hflip', 'vflip'],
  270: ['transpose=cclock'],
} as const

/**
 * The number of the interval of a time. A time on the border of two intervals, for example a round
 * one, belongs to the later interval, also after rounding.
 */
const intervalOf = (time: string, fps: number, from: number) => `floor((${time}+${from / 1_000})*${fps}+.501)`

/**
 * PPM pictures on standard output, the first one of each interval. ffmpeg scales them to the size of the first one, and `showinfo`
 * tells the true size.
 */
const frameOptions = ({ fps, from = 0, rotate = 0, isUntimed }: FrameOptions) => [
  '-map',
  '0:v:0',
  '-an',
  '-sn',
  '-dn',
  '-vf',
  [
    ...(isUntimed ? [BY_ARRIVAL] : []),
    `select='isnan(t)+isnan(prev_selected_t)+gt(${intervalOf('t', fps, from)},${intervalOf('prev_selected_t', fps, from)})'`,
    SQUARE,
    ...TURN_FILTERS[rotate],
    'settb=1/1000',
    'showinfo=checksum=0',
  ].join(),
  '-fps_mode',
  'passthrough',
  '-f',
  'image2pipe',
  '-c:v',
  'ppm',
  '-pix_fmt',
  'rgb24',
  'pipe:1',
]

/** Calls back with each line. Returns the text of the kept lines. */
function linesOf(isKept: (line: string) => boolean): (text: string) => string {
  let rest = ''
  return text => {
    const lines = (rest + text).split('\n')
    rest = lines.pop()!.slice(-MESSAGES)
    return lines
      .filter(isKept)
      .map(line => `${line}\n`)
      .join('')
  }
}

/** Signals the child's group. */
function kill(child: ChildProcess, signal: NodeJS.Signals) {
  if (child.pid === undefined) return
  try {
    if (process.platform === 'win32') child.kill(signal)
    else process.kill(-child.pid, signal)
  } catch {
    // ESRCH: the whole group has exited.
  }
}

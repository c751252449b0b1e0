/** Converts the URL of a camera to input options of ffmpeg. The URL comes from users of the API: only known kinds are opened. */
import { realpath } from 'node:fs/promises'
import { resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cameraUrl } from '../../contract/model/camera-url.ts'

/** Rules of the operator. */
export interface SourceRules {
  /** Folder whose files may be cameras. Absent: none. */
  files?: string
  /** Whether video devices of this machine (`/dev/video0`) may be cameras. */
  devices?: boolean
  /** Name of ffmpeg's hardware decoder, for example `auto`, `vaapi` or `cuda`. */
  hwaccel?: string
}

/** The URL is not opened. The message says why, without the URL: a URL may have a password. */
export class SourceRefused extends Error {
  override readonly name = 'SourceRefused'
}

/** ffmpeg's own time limit of a silent connection, in microseconds. */
const SILENT_US = '10000000'

/** How much of a stream over HTTP is examined before its first picture, in microseconds. ffmpeg's own 5 s delay live streams. */
const PROBE_US = '1000000'

/** Protocols that a stream of each kind may open. A playlist can't read files of this machine. */
const OVER_HTTP = 'http,https,tcp,tls,crypto'
const OVER_RTSP = 'rtsp,rtsps,rtp,tcp,tls'

/** Formats of ffmpeg that a file may have. Playlists and patterns of names would read other files. */
const FILE_FORMATS =
  'asf,avi,dhav,dv,flv,gif,h264,hevc,ivf,m4v,matroska,mjpeg,mov,mpeg,mpegts,mpegvideo,mpjpeg,mxf,nut,obu,ogg,rm,wtv'

/** Options of one file, by default of this machine. ffmpeg opens nothing else. */
export const fileOptions = (path: string, protocols = 'file'): string[] => [
  '-protocol_whitelist',
  protocols,
  '-format_whitelist',
  FILE_FORMATS,
  '-i',
  protocols === 'file' ? `file:${path}` : path,
]

/** How ffmpeg opens a camera. */
export interface Source {
  /** Options up to `-i FILE`. Every user of the machine can read them. */
  options: readonly string[]
  /** Text for ffmpeg's standard input: a playlist with the URL, which may have a password. */
  stdin?: string
  /** Variables of ffmpeg's environment, which only its user can read. */
  env?: Readonly<Record<string, string>>
  /** Over HTTP. Motion JPEG has no times there. */
  isWeb?: boolean
}

/** Rejects with SourceRefused. */
export async function sourceOf(url: string, rules: SourceRules): Promise<Source> {
  const decoder = rules.hwaccel === undefined ? [] : ['-hwaccel', rules.hwaccel]
  const { options, ...rest } = await inputOf(url, rules)
  return { options: [...decoder, ...options], ...rest }
}

async function inputOf(url: string, { files, devices = false }: SourceRules): Promise<Source> {
  const found = cameraUrl(url, { files: files !== undefined, devices })
  switch (found.kind) {
    case 'rtsp':
      return networkInput(url, {
        rtsp_transport: 'tcp',
        timeout: SILENT_US,
        protocol_whitelist: OVER_RTSP,
      })
    case 'http': {
      const options = { rw_timeout: SILENT_US, analyzeduration: PROBE_US, protocol_whitelist: OVER_HTTP }
      return { ...networkInput(url, options), isWeb: true }
    }
    case 'device':
      return { options: ['-f', 'v4l2', '-protocol_whitelist', 'file', '-i', found.device] }
    case 'file':
      return fileInput(url, files!)
    default:
      throw new SourceRefused(found.refused ?? 'mien watch --frigate reads this camera.')
  }
}

/**
 * The URL in a playlist of one file, with its options. The playlist itself may open nothing but standard input. It is not examined:
 * ffmpeg examines the stream behind it.
 */
function networkInput(url: string, options: Record<string, string>): Source {
  const lines = Object.entries(options).map(([name, value]) => `option ${name} ${value}\n`)
  return {
    options: [
      '-f',
      'concat',
      '-safe',
      '0',
      '-analyzeduration',
      '1',
      '-protocol_whitelist',
      'pipe',
      '-i',
      'pipe:0',
    ],
    stdin: `ffconcat version 1.0\nfile '${url.replaceAll("'", "'\\''")}'\n${lines.join('')}`,
  }
}

/** A file in real time, again and again: a clip that stands for a camera. */
async function fileInput(url: string, files: string): Promise<Source> {
  const folder = await realpath(files)
  const path = await realpath(resolve(folder, pathIn(url))).catch(() => undefined)
  if (path === undefined || !path.startsWith(`${folder}${sep}`))
    throw new SourceRefused('The URL is no file in the folder of --files.')
  return { options: ['-re', '-stream_loop', '-1', ...fileOptions(path)] }
}

function pathIn(url: string) {
  if (!/^file:/i.test(url)) return url
  try {
    return fileURLToPath(url)
  } catch {
    throw new SourceRefused('The URL is no file of this machine.')
  }
}

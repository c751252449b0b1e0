/** Converts the URL of a camera to input options of ffmpeg. The URL comes from users of the API: only known kinds are opened. */
import { realpath } from 'node:fs/promises'
import { resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/** What the operator allows. */
export interface SourceRules {
  /** Folder whose files may be cameras. Absent: none. */
  files?: string
  /** Whether video devices of this machine (`/dev/video0`) may be cameras. */
  devices?: boolean
  /** Name of ffmpeg's hardware decoder, for example `auto`, `vaapi` or `cuda`. */
  hwaccel?: string
}

/** The URL is not opened. The message says why, without the URL, which may have a password. */
export class SourceRefused extends Error {
  override readonly name = 'SourceRefused'
}

/** ffmpeg's own time limit of a silent connection, in microseconds. */
const SILENT_US = '10000000'

/** Protocols that a stream of each kind may open. A playlist can't read files of this machine. */
const OVER_HTTP = 'http,https,tcp,tls,crypto'
const OVER_RTSP = 'rtsp,rtsps,rtp,tcp,tls'

const DEVICE = /^(?:v4l2:)?(\/dev\/video\d{1,3})$/

/** Options of ffmpeg up to `-i URL`. Rejects with SourceRefused. */
export async function sourceOf(url: string, rules: SourceRules): Promise<string[]> {
  if (/\p{Cc}/u.test(url)) throw new SourceRefused('The URL has control characters.')
  const decoder = rules.hwaccel === undefined ? [] : ['-hwaccel', rules.hwaccel]
  return [...decoder, ...(await inputOf(url, rules))]
}

async function inputOf(url: string, rules: SourceRules): Promise<string[]> {
  const device = DEVICE.exec(url)?.[1]
  if (device !== undefined) return deviceInput(device, rules)
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1]?.toLowerCase()
  switch (scheme) {
    case 'rtsp':
    case 'rtsps':
      return [
        ...['-rtsp_transport', 'tcp', '-timeout', SILENT_US],
        ...['-protocol_whitelist', OVER_RTSP, '-i', networkUrl(url)],
      ]
    case 'http':
    case 'https':
      return ['-rw_timeout', SILENT_US, '-protocol_whitelist', OVER_HTTP, '-i', networkUrl(url)]
    case 'file':
    case undefined:
      return fileInput(url, rules)
    default:
      throw new SourceRefused('The URL is of no known kind. Expected rtsp, rtsps, http, https or a file.')
  }
}

/** The URL with a host. ffmpeg reads other texts with the same start differently. */
function networkUrl(url: string): string {
  if (!/^[a-z]+:\/\/[^/?#]/i.test(url) || !URL.canParse(url) || new URL(url).hostname === '')
    throw new SourceRefused('The URL has no host.')
  return url
}

function deviceInput(device: string, { devices = false }: SourceRules): string[] {
  if (!devices) throw new SourceRefused('The URL is a device of this machine. --devices allows devices.')
  return ['-f', 'v4l2', '-protocol_whitelist', 'file', '-i', device]
}

/** A file in real time, again and again: a clip that stands for a camera. */
async function fileInput(url: string, { files }: SourceRules): Promise<string[]> {
  if (files === undefined)
    throw new SourceRefused('The URL is a file. --files FOLDER allows the files of a folder.')
  const folder = await realpath(files)
  const path = await realpath(resolve(folder, pathIn(url))).catch(() => undefined)
  if (path === undefined || !path.startsWith(`${folder}${sep}`))
    throw new SourceRefused('The URL is no file in the folder of --files.')
  return ['-re', '-stream_loop', '-1', '-protocol_whitelist', 'file', '-i', `file:${path}`]
}

function pathIn(url: string): string {
  if (!/^file:/i.test(url)) return url
  try {
    return fileURLToPath(url)
  } catch {
    throw new SourceRefused('The URL is no file of this machine.')
  }
}

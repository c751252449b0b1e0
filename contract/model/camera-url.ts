/** URLs of cameras that a watcher opens. For other URLs, the watcher and the service name the reason. */

/** Rules of the operator of a watcher. */
interface UrlRules {
  /** Whether files, and video devices of the machine (`/dev/video0`), may be cameras. */
  files?: boolean
  devices?: boolean
}

type CameraUrl =
  | { kind: 'rtsp' | 'http' | 'file' | 'frigate'; refused?: never }
  | { kind: 'device'; device: string; refused?: never }
  | { kind?: never; refused: string }

const DEVICE = /^(?:v4l2:)?(\/dev\/video\d{1,3})$/

/** Frigate's camera of the URL `frigate://NAME`; undefined for another URL. */
export const frigateCamera = (url: string | undefined): string | undefined =>
  /^frigate:\/\/([\w-]{1,100})\/?$/.exec(url ?? '')?.[1]

/** How a URL is read, or why it is refused. The reason does not contain the URL, which may have a password. */
export function cameraUrl(url: string, { files, devices }: UrlRules = {}): CameraUrl {
  if (/\p{Cc}/u.test(url)) return { refused: 'The URL has control characters.' }
  const device = DEVICE.exec(url)?.[1]
  if (device !== undefined)
    return devices
      ? { kind: 'device', device }
      : { refused: 'The URL is a device of the machine. Only a watcher with --devices opens it.' }
  if (frigateCamera(url) !== undefined) return { kind: 'frigate' }
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1]?.toLowerCase() ?? 'file'
  if (scheme === 'file')
    return files
      ? { kind: 'file' }
      : { refused: 'The URL is a file. Only a watcher with --files FOLDER opens files of its folder.' }
  if (!/^(rtsp|http)s?$/.test(scheme))
    return { refused: 'The URL is of no known kind. Expected rtsp, rtsps, http, https or a file.' }
  // ffmpeg reads texts with the same start and no host differently.
  return /^[a-z]+:\/\/[^/?#]/i.test(url) && URL.canParse(url) && new URL(url).hostname !== ''
    ? { kind: scheme.startsWith('rtsp') ? 'rtsp' : 'http' }
    : { refused: 'The URL has no host.' }
}

/** Scans a multipart body while it arrives, and reports each part as soon as its headers are complete. */
import { MultipartPart } from '@remix-run/multipart-parser'
import { badParam } from '../../../contract/errors.ts'
import { REQUEST_LIMITS } from '../../../contract/limits/requests.ts'

export interface PartHead {
  /** Undefined when the part has no name. */
  name: string | undefined
  /** Undefined when the part was not sent as a file. */
  filename: string | undefined
  mediaType: string | undefined
}

interface PartWatch<Seen> {
  /** Called when a part begins. An error thrown here ends the reading. The result identifies the part from then on. */
  begins(head: PartHead): Seen
  /** Called with the size of the part so far, in bytes. An error thrown here ends the reading. */
  grows(seen: Seen, size: number): void
}

interface Part<Seen> {
  seen: Seen
  /** Byte range of the content in the body; `end` is exclusive. */
  start: number
  end: number
}

interface MultipartScan<Seen> {
  /** Continues the scan; `body` contains all bytes so far. Throws BAD_PARAM for a malformed body, and without a boundary. */
  advance(body: Uint8Array): void
  /** All parts of a complete body. Throws BAD_PARAM when the body ends early. */
  finish(): readonly Part<Seen>[]
}

const CR = 13
const LF = 10
const DASH = 45
const SPACE = 32
const TAB = 9

/** Maximum number of spaces and tabs after a boundary. */
const PADDING = 64

export function scanMultipart<Seen>(boundary: string, watch: PartWatch<Seen>): MultipartScan<Seen> {
  const delimiter = Uint8Array.from(`\r\n--${boundary}`, character => character.charCodeAt(0))
  const parts: Part<Seen>[] = []
  let phase: 'preamble' | 'head' | 'content' | 'done' = 'preamble'
  /** Position at which the scan continues. */
  let at = 0
  /** Start of the headers or the content of the current part. */
  let start = 0
  /** Bytes of the headers so far. */
  let headers = 0
  let seen: Seen

  /** False when the scan needs more bytes. */
  const step = (body: Uint8Array) => {
    if (phase === 'done') return false
    return phase === 'head' ? readHead(body) : findBoundary(body)
  }

  function findBoundary(body: Uint8Array) {
    const found = nextBoundary(body)
    if (phase === 'preamble' && at > REQUEST_LIMITS.preambleBytes) throw malformed()
    if (phase === 'content') watch.grows(seen, (found?.from ?? at) - start)
    if (found === undefined) return false
    if (phase === 'content') parts.push({ seen, start, end: found.from })
    phase = found.isLast ? 'done' : 'head'
    at = start = found.to
    return true
  }

  /** Finds the next boundary line. Moves `at` to the first byte at which a boundary may still begin. */
  function nextBoundary(body: Uint8Array): Boundary | undefined {
    for (; at < body.length; at++) {
      // The first boundary of a body has no line break before it.
      const isFirstLine = at === 0 && body[0] === DASH
      if (body[at] !== CR && !isFirstLine) continue
      const found = boundaryAt(body, at, isFirstLine ? delimiter.subarray(2) : delimiter)
      if (found === 'more') return undefined
      if (found !== 'no') return found
    }
    return undefined
  }

  function readHead(body: Uint8Array) {
    // A part without headers begins with the empty line.
    const isBare = body[start] === CR && body[start + 1] === LF
    const end = isBare ? start - 2 : emptyLine(body, Math.max(start, at - 3))
    at = body.length
    if ((end < 0 ? body.length : end) - start > REQUEST_LIMITS.partHeaderBytes) throw malformed()
    if (end < 0) return false
    headers += end - start
    if (headers > REQUEST_LIMITS.partHeadersBytes) throw malformed()
    seen = watch.begins(headOf(body.subarray(start, Math.max(start, end))))
    phase = 'content'
    at = start = end + 4
    return true
  }

  return {
    advance(body) {
      // An empty body needs no boundary.
      if (boundary === '') throw badParam('body', '', 'The multipart body names no boundary.')
      while (step(body));
    },
    finish() {
      if (phase !== 'done') throw malformed()
      return parts
    },
  }
}

interface Boundary {
  /** First byte of the boundary, and the byte after its line. */
  from: number
  to: number
  isLast: boolean
}

/** The boundary at `from`; `no` when there is none, `more` when the decision needs more bytes. */
function boundaryAt(body: Uint8Array, from: number, delimiter: Uint8Array): Boundary | 'no' | 'more' {
  for (let i = 0; i < delimiter.length; i++)
    if (body[from + i] !== delimiter[i]) return from + i < body.length ? 'no' : 'more'
  let to = from + delimiter.length
  if (body[to] === DASH && body[to + 1] === DASH) return { from, to: to + 2, isLast: true }
  for (let padding = 0; padding < PADDING && (body[to] === SPACE || body[to] === TAB); padding++) to++
  if (body[to] === CR && body[to + 1] === LF) return { from, to: to + 2, isLast: false }
  return to + 1 < body.length ? 'no' : 'more'
}

/** Index of the next CR LF CR LF; -1 when there is none. */
function emptyLine(body: Uint8Array, from: number) {
  for (let i = from; i + 3 < body.length; i++)
    if (body[i] === CR && body[i + 1] === LF && body[i + 2] === CR && body[i + 3] === LF) return i
  return -1
}

/**
 * Senders escape only quotes and backslashes: a backslash before another character stands for itself. Throws BAD_PARAM for folded
 * headers. The parser would log a file name in an unknown character set: only the character sets of RFC 8187 and RFC 5987 are read.
 */
function headOf(bytes: Uint8Array): PartHead {
  const written = inUtf8(bytes)
  if (/\r\n[ \t]/.test(written)) throw badParam('body', '', FOLDED)
  const text = written
    .replace(/\\(["\\]?)/g, (pair, escaped) => (escaped ? pair : '\\\\'))
    .replace(/;\s*filename\*\s*=(?!\s*"?(?:utf-8|iso-8859-1)')/gi, '; unread=')
  const { name, filename, mediaType } = new MultipartPart(new TextEncoder().encode(text), [])
  return { name, filename, mediaType: mediaType?.toLowerCase() }
}

/** Text of headers in UTF-8, or else in windows-1252. */
function inUtf8(bytes: Uint8Array) {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** The boundary from the attributes of the content type; "" when there is none. */
export function boundaryOf(attributes: string): string {
  const match = /(?:^|;)\s*boundary=(?:"([^"]{1,200})"|([^;\s]{1,200}))/i.exec(attributes)
  return match?.[1] ?? match?.[2] ?? ''
}

const FOLDED = 'body: a header of a part continues on a second line. Write each header of a part in one line.'

const malformed = () => badParam('body', '', 'The multipart body is not well-formed.')

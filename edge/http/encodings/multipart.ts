/** Finds the parts of a multipart body while it arrives: a part is known as soon as its headers are there. */
import { MultipartPart } from '@remix-run/multipart-parser'
import { badParam, type ServiceError } from '../../../core/contract/errors.ts'
import { LIMITS } from '../../../core/contract/limits.ts'

export interface PartHead {
  /** Undefined when the part names none. */
  name: string | undefined
  /** Undefined when the part was not sent as a file. */
  filename: string | undefined
  mediaType: string | undefined
}

export interface PartWatch<Seen> {
  /** A part begins. What it throws ends the reading. */
  begins(head: PartHead): Seen
  /** Called with the bytes that the part has so far. An error thrown here ends the reading. */
  grows(seen: Seen, size: number): void
}

export interface Part<Seen> {
  seen: Seen
  /** Where its content lies in the body. */
  start: number
  end: number
}

export interface MultipartScan<Seen> {
  /** Scans on; `body` is all that has arrived. BAD_PARAM when it is not well-formed. */
  advance(body: Uint8Array): void
  /** All parts, when everything has arrived. BAD_PARAM when the body ends early. */
  finish(): readonly Part<Seen>[]
}

const CR = 13
const LF = 10
const DASH = 45
const SPACE = 32
const TAB = 9

/** Spaces that may stand behind a boundary. */
const PADDING = 64

export function scanMultipart<Seen>(boundary: string, watch: PartWatch<Seen>): MultipartScan<Seen> {
  const delimiter = Uint8Array.from(`\r\n--${boundary}`, character => character.charCodeAt(0))
  const parts: Part<Seen>[] = []
  let phase: 'preamble' | 'head' | 'content' | 'done' = 'preamble'
  /** Where the scan goes on. */
  let at = 0
  /** Where the headers or the content of the part begin. */
  let start = 0
  let seen: Seen

  /** False when more of the body is needed. */
  const step = (body: Uint8Array): boolean => {
    if (phase === 'done') return false
    return phase === 'head' ? readHead(body) : findBoundary(body)
  }

  function findBoundary(body: Uint8Array): boolean {
    const found = nextBoundary(body)
    if (phase === 'preamble' && at > LIMITS.preambleBytes) throw malformed()
    if (phase === 'content') watch.grows(seen, (found?.from ?? at) - start)
    if (found === undefined) return false
    if (phase === 'content') parts.push({ seen, start, end: found.from })
    phase = found.isLast ? 'done' : 'head'
    at = start = found.to
    return true
  }

  /** The next line that is the boundary. Moves `at` to the first byte with which one may still begin. */
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

  function readHead(body: Uint8Array): boolean {
    // A part without headers begins with the empty line.
    const isBare = body[start] === CR && body[start + 1] === LF
    const end = isBare ? start - 2 : emptyLine(body, Math.max(start, at - 3))
    at = body.length
    if ((end < 0 ? body.length : end) - start > LIMITS.partHeaderBytes) throw malformed()
    if (end < 0) return false
    seen = watch.begins(headOf(body.subarray(start, Math.max(start, end))))
    phase = 'content'
    at = start = end + 4
    return true
  }

  return {
    advance(body) {
      while (step(body));
    },
    finish() {
      if (phase !== 'done') throw malformed()
      return parts
    },
  }
}

interface Boundary {
  /** Its first byte, and the byte behind its line. */
  from: number
  to: number
  isLast: boolean
}

/** The boundary that begins here. `more` when that can't be told yet. */
function boundaryAt(body: Uint8Array, from: number, delimiter: Uint8Array): Boundary | 'no' | 'more' {
  for (let i = 0; i < delimiter.length; i++)
    if (body[from + i] !== delimiter[i]) return from + i < body.length ? 'no' : 'more'
  let to = from + delimiter.length
  if (body[to] === DASH && body[to + 1] === DASH) return { from, to: to + 2, isLast: true }
  for (let padding = 0; padding < PADDING && (body[to] === SPACE || body[to] === TAB); padding++) to++
  if (body[to] === CR && body[to + 1] === LF) return { from, to: to + 2, isLast: false }
  return to + 1 < body.length ? 'no' : 'more'
}

/** Where CR LF CR LF begins; negative when it is nowhere. */
function emptyLine(body: Uint8Array, from: number): number {
  for (let i = from; i + 3 < body.length; i++)
    if (body[i] === CR && body[i + 1] === LF && body[i + 2] === CR && body[i + 3] === LF) return i
  return -1
}

function headOf(bytes: Uint8Array): PartHead {
  const { name, filename, mediaType } = new MultipartPart(inUtf8(bytes), [])
  return { name, filename, mediaType: mediaType?.toLowerCase() }
}

/** Headers that are not in UTF-8 are in an older encoding of Western Europe. */
function inUtf8(bytes: Uint8Array): Uint8Array {
  try {
    new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return bytes
  } catch {
    return new TextEncoder().encode(new TextDecoder('windows-1252').decode(bytes))
  }
}

/** BAD_PARAM when there is none. */
export function boundaryOf(attributes: string): string {
  const match = /(?:^|;)\s*boundary=(?:"([^"]{1,200})"|([^;\s]{1,200}))/i.exec(attributes)
  const boundary = match?.[1] ?? match?.[2]
  if (boundary === undefined) throw badParam('body', '', 'The multipart body names no boundary.')
  return boundary
}

const malformed = (): ServiceError => badParam('body', '', 'The multipart body is not well-formed.')

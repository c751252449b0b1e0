/** Posts events to the service in sequence, and keeps them while the service is unavailable. */
import { type Face, type MienClient, MienError, MienNetworkError } from '../clients/typescript/src/index.ts'
import { environment } from '../contract/environment.ts'
import type { Log } from '../core/log.ts'
import { backOffMs, pause } from './frames/back-off.ts'
import type { VisitEvent } from './visit-event.ts'

/** How long events may still be posted after a stop, in milliseconds. */
export const LAST_POST_MS = 10_000

/** Events that wait in memory: their number and the bytes of their photos. */
const MAX_EVENTS = 1_000
const MAX_PHOTO_BYTES = 128 * 2 ** 20

/** A token that was revoked or lacks the scope. The operator may correct it. */
const DENIED_STATUSES = [401, 403]

/** Repetitions after an internal error. Another event may not cause it. */
const RETRIES_OF_INTERNAL_ERROR = 4

interface OutboxOptions {
  /** Events that wait, and bytes of their photos. */
  events?: number
  bytes?: number
  /** A visit is posted as this face, or lost without one: its event is refused or dropped, and no update waits. */
  onEnd?: (event: VisitEvent, face: Face | undefined) => void
  /** A later event of the visit has taken the place of this one. */
  onReplace?: (event: VisitEvent) => void
}

export function openOutbox(
  client: MienClient,
  log: Log,
  {
    events: mostEvents = MAX_EVENTS,
    bytes: mostBytes = MAX_PHOTO_BYTES,
    onEnd = () => {},
    onReplace = () => {},
  }: OutboxOptions = {},
) {
  const waiting: VisitEvent[] = []
  const stop = new AbortController()
  let running: Promise<void> | undefined
  let bytes = 0

  const remove = (event: VisitEvent) => {
    const at = waiting.indexOf(event)
    if (at < 0) return
    waiting.splice(at, 1)
    bytes -= event.photo.length
  }

  /** Removes a refused or dropped event. An update that waits may still post the visit. */
  const lose = (event: VisitEvent) => {
    remove(event)
    if (!waiting.some(({ track }) => track === event.track)) onEnd(event, undefined)
  }

  /** Posts the event. Returns the error if another attempt makes sense; otherwise the event is done. */
  const attempt = async (event: VisitEvent, failures: number): Promise<unknown> => {
    const { camera, track, isUpdate } = event
    try {
      const [face] = await post(client, event, stop.signal)
      log(isUpdate ? 'visit updated' : 'visit posted', { camera, track, face: face?.id })
      onEnd(event, face)
    } catch (error) {
      if (stop.signal.aborted || isTemporary(error, failures)) return error
      log('visit refused', { camera, track, code: codeOf(error) })
      lose(event)
    }
    remove(event)
    return undefined
  }

  /** Posts until nothing waits. */
  const run = async () => {
    let failures = 0
    for (let event = waiting[0]; event && !stop.signal.aborted; event = waiting[0]) {
      const error = await attempt(event, failures)
      if (error !== undefined && failures === 0 && !stop.signal.aborted)
        log('service away', { code: codeOf(error), waiting: waiting.length })
      failures = error === undefined ? 0 : failures + 1
      if (error !== undefined) await pause(retryDelayMs(failures, error), stop.signal)
    }
    running = undefined
  }

  return {
    /**
     * Adds an event. It replaces a waiting event of the visit, except the first event: it may be in transit. Drops the
     * oldest one, with a log line, when too many wait.
     */
    add(added: VisitEvent) {
      const earlier = waiting.find(({ track }, i) => i > 0 && track === added.track)
      const { isUpdate: _, ...first } = added
      const event = earlier && !earlier.isUpdate ? first : added
      if (earlier) {
        remove(earlier)
        onReplace(earlier)
      }
      waiting.push(event)
      bytes += event.photo.length
      while (waiting.length > mostEvents || (bytes > mostBytes && waiting.length > 1)) {
        const [oldest] = waiting
        lose(oldest!)
        log('visit dropped', { camera: oldest!.camera, track: oldest!.track, waiting: waiting.length })
      }
      running ??= run()
    },
    /** Number of waiting events. */
    waiting: () => waiting.length,
    /** Resolves when none waits. */
    idle: async (): Promise<void> => running,
    /** Posts the waiting events for at most `graceMs` milliseconds. Returns the number of lost events. */
    async close(graceMs: number) {
      const timer = environment.timer(() => stop.abort(), graceMs)
      await running
      timer.cancel()
      return waiting.length
    },
  }
}

/** Enrols exactly the face of the visit. A repeated request enrols nothing twice. */
const post = (
  client: MienClient,
  {
    camera,
    track,
    photo,
    box,
    time,
    frames,
    quality,
    firstSeen,
    lastSeen,
    isUpdate,
    leastLiveness,
    recording,
  }: VisitEvent,
  signal: AbortSignal,
) =>
  client.faces.enrol(
    new File([photo], `${track}.jpg`),
    {
      cam_id: camera,
      timestamp: time,
      bbox: [box],
      detectorParams: {
        track,
        frames,
        first_seen: firstSeen,
        last_seen: lastSeen,
        box,
        quality,
        recording,
      },
      ...(isUpdate && { update: true }),
      ...(leastLiveness !== undefined && { liveness: true, min_liveness: leastLiveness }),
    },
    { idempotencyKey: track, signal },
  )

export const codeOf = (error: unknown): string => (error instanceof MienError ? error.code : 'no answer')

/** Whether another attempt makes sense after so many. */
export const isTemporary = (error: unknown, failures: number): boolean => {
  if (!(error instanceof MienError)) return error instanceof MienNetworkError
  if (error.status === 500) return failures < RETRIES_OF_INTERNAL_ERROR
  return error.status === 429 || error.status > 500 || DENIED_STATUSES.includes(error.status)
}

/** Milliseconds before the next attempt, after so many failed ones. */
export const retryDelayMs = (failures: number, error: unknown): number =>
  Math.max(error instanceof MienError ? (error.retryAfter ?? 0) * 1_000 : 0, backOffMs(failures - 1))

/** Frigate's events that have not ended: keeps the best face of each one, and reports it at the end. */
import type { Log } from '../../core/log.ts'
import type { Analyzer } from '../analysis/analyzer.ts'
import type { SeenFace } from '../tracker.ts'
import { isUsable } from '../unused-faces.ts'
import type { VisitEvent } from '../visit-event.ts'
import type { FrigateMessage, FrigateSnapshot, Snapshot } from './message.ts'

export type OpenEvents = ReturnType<typeof openEvents>

interface OpenEventParts {
  analyzer: Analyzer
  fetchSnapshot: (id: string) => Promise<Snapshot | undefined>
  onVisit: (event: VisitEvent) => void
  log: Log
  /** Least side of a face in pixels, and its least quality, 0..1. */
  leastSide: number
  leastQuality: number
}

interface Best {
  face: SeenFace
  photo: Uint8Array<ArrayBuffer>
  time: number
}

interface OpenEvent {
  camera: string
  latest: FrigateMessage
  /** Time of the last snapshot that was asked for. */
  asked: number | undefined
  /** The next snapshot. A newer one replaces it. */
  wanted: FrigateSnapshot | undefined
  working: Promise<void> | undefined
  best: Best | undefined
  /** Snapshots with a face. */
  frames: number
}

/** Open events at most. Each one has a picture in memory. The oldest one is reported when another begins. */
const MAX_OPEN = 64

export function openEvents(parts: OpenEventParts, most = MAX_OPEN) {
  const open = new Map<string, OpenEvent>()
  const ending = new Set<Promise<void>>()

  const end = (event: OpenEvent) => {
    open.delete(event.latest.id)
    const done = Promise.resolve(event.working)
      .then(() => event.best && parts.onVisit(visitOf(event, event.best)))
      .finally(() => ending.delete(done))
    ending.add(done)
  }

  const begin = (message: FrigateMessage, camera: string): OpenEvent => {
    const [oldest] = open.values()
    if (oldest && open.size >= most) end(oldest)
    const event: OpenEvent = {
      camera,
      latest: message,
      asked: undefined,
      wanted: undefined,
      working: undefined,
      best: undefined,
      frames: 0,
    }
    open.set(message.id, event)
    return event
  }

  return {
    /** Takes a message about an event of the camera with this id. */
    take(message: FrigateMessage, camera: string) {
      const event = open.get(message.id) ?? begin(message, camera)
      event.latest = message
      if (message.snapshot && message.snapshot.time !== event.asked) {
        event.wanted = message.snapshot
        event.asked = message.snapshot.time
        event.working ??= work(event, parts)
      }
      if (message.end !== undefined) end(event)
    },
    /** Reports all open events. Resolves when the work on their snapshots has ended. */
    async endAll() {
      for (const event of [...open.values()]) end(event)
      await Promise.all(ending)
    },
  }
}

/** Looks at the snapshots until none is wanted. A failure concerns one snapshot only. */
async function work(event: OpenEvent, parts: OpenEventParts) {
  for (let next = event.wanted; next; next = event.wanted) {
    event.wanted = undefined
    await look(event, next, parts).catch(() =>
      parts.log('snapshot failed', { camera: event.camera, track: event.latest.id }),
    )
  }
  event.working = undefined
}

async function look(event: OpenEvent, snapshot: FrigateSnapshot, parts: OpenEventParts) {
  const { analyzer, fetchSnapshot, leastSide, leastQuality } = parts
  const fetched = await fetchSnapshot(event.latest.id)
  if (!fetched) return
  const { picture, photo } = fetched
  const seen = (await analyzer.analyze(() => ({ frame: picture, leastSide, wanted: 'all' }))) ?? []
  const faces = seen.filter(isUsable)
  const face = faceOf(faces, snapshot)
  if (!face || face.quality < leastQuality) return
  event.frames++
  if (face.quality > (event.best?.face.quality ?? 0)) event.best = { face, photo, time: snapshot.time }
}

/** The face of the person: the best one in the box. Without a box, others could be meant: then only a single face counts. */
function faceOf(faces: readonly SeenFace[], { person }: FrigateSnapshot): SeenFace | undefined {
  if (!person) return faces.length === 1 ? faces[0] : undefined
  const inside = faces.filter(({ box }) => {
    const [x, y] = [(box.x1 + box.x2) / 2, (box.y1 + box.y2) / 2]
    return x >= person.x1 && x <= person.x2 && y >= person.y1 && y <= person.y2
  })
  return inside.toSorted((a, b) => b.quality - a.quality)[0]
}

function visitOf({ camera, latest, frames }: OpenEvent, { face, photo, time }: Best): VisitEvent {
  return {
    camera,
    track: latest.id,
    photo,
    box: face.box,
    frames,
    quality: face.quality,
    time: timeText(time),
    firstSeen: timeText(latest.start),
    lastSeen: timeText(latest.end ?? time),
  }
}

/** ISO 8601 of Unix seconds. */
const timeText = (seconds: number) => new Date(seconds * 1_000).toISOString()

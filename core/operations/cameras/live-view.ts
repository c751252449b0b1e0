/**
 * The live view of cameras: passes the newest frame of each camera from its watcher to its viewers. Holds one frame per camera with
 * viewers.
 */
import { CAMERA_LIMITS } from '../../../contract/limits/cameras.ts'
import { type EventFeed, eventFeed } from '../events/event-feed.ts'

/** A frame, and its number among the frames of this watcher. */
export interface LiveFrame {
  watcher: string
  number: number
  /** JPEG in base64. */
  picture: string
}

export interface LiveView {
  /** Streams of viewers, by owner and camera. */
  readonly viewers: EventFeed
  /** Streams of watchers, by owner. */
  readonly watchers: EventFeed
  /** The newest frame by owner and camera. */
  readonly frames: Map<string, LiveFrame>
  /** Ids of the owner's cameras with viewers. */
  watchedBy(owner: string): string[]
  /** Shows a frame to the viewers. Ignores frames without viewers, and frames older than the last one of the watcher. */
  show(owner: string, camera: string, frame: LiveFrame): void
  close(): Promise<void>
}

/** Name of the streams of a camera's viewers. */
export const keyOf = (owner: string, camera: string): string => `${owner}/${camera}`

export function liveView(): LiveView {
  const streams = CAMERA_LIMITS.liveStreams
  const bounds = { streams, streamsPerOwner: CAMERA_LIMITS.viewers, subject: 'viewers of this camera' }
  const viewers = eventFeed(undefined, undefined, bounds)
  const watchers = eventFeed(undefined, undefined, {
    streams,
    streamsPerOwner: streams / 2,
    subject: 'watchers',
  })
  const frames = new Map<string, LiveFrame>()
  return {
    viewers,
    watchers,
    frames,
    watchedBy: owner =>
      [...viewers.followed.keys()].flatMap(key =>
        key.startsWith(`${owner}/`) ? key.slice(owner.length + 1) : [],
      ),
    show(owner, camera, frame) {
      const key = keyOf(owner, camera)
      const last = frames.get(key)
      if (!viewers.followed.has(key) || (last?.watcher === frame.watcher && last.number >= frame.number))
        return
      frames.set(key, frame)
      viewers.wake(key)
    },
    async close() {
      await Promise.all([viewers.close(), watchers.close()])
    },
  }
}

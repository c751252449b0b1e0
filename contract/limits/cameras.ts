/** Bounds of cameras and their watchers. `Ms`: milliseconds. */

export const CAMERA_LIMITS = {
  /** Pixels of a camera region: width, height, x and y. */
  regionSide: 1_000_000,
  /** Masks of a camera, and reported places of faces that never move. */
  areas: 16,
  /** Cameras in one request. */
  perRequest: 1_000,
  /** How long a watcher holds a camera after its last report. */
  leaseMs: 15_000,
  /** Interval of a watcher's reports, and their interval while there is a viewer of the picture. */
  reportMs: 5_000,
  pictureMs: 2_000,
  /** A camera is live if its last frame is not older. */
  liveMs: 15_000,
  /** A watcher sends pictures for this time after a request for the picture. */
  wantedMs: 30_000,
  /** Interval at which core deletes pictures that are no longer wanted. */
  forgetMs: 10_000,
  /** Seconds after which the first picture may be there. */
  pictureRetrySeconds: 2,
  /** Bytes of a picture, and pixels of its longer side. */
  pictureBytes: 256 * 1024,
  pictureSide: 640,
  /**
   * Live view: frames a second that a watcher sends, pixels of their longer side and bytes of each; viewers of a camera, and streams
   * at a core; and how long a viewer waits for the next frame.
   */
  liveFps: 12,
  liveSide: 960,
  liveBytes: 512 * 1024,
  viewers: 8,
  liveStreams: 200,
  liveSilenceMs: 10_000,
  /**
   * Uploaded recordings: bytes of a file, and of each piece except the last; concurrent files of an owner; time after which an
   * unused file is deleted.
   */
  recordingBytes: 8 * 2 ** 30,
  recordingPieceBytes: 4 * 2 ** 20,
  recordings: 4,
  recordingMs: 24 * 3_600_000,
  /** Options of a camera: frames a second, greatest least side of a face in pixels, and seconds of a visit. */
  fps: 30,
  faceSide: 4_096,
  visitSeconds: 3_600,
} as const

/** Footage that a camera may keep of an event: fields of a face, and options of a camera. */
export const FOOTAGE_KINDS = ['snapshot', 'clip'] as const
export type FootageKind = (typeof FOOTAGE_KINDS)[number]

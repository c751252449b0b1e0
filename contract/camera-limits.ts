/** Bounds of watchers and their cameras; part of LIMITS. */

export const CAMERA_LIMITS = {
  /** How long a watcher holds a camera after its last report. */
  cameraLeaseMs: 15_000,
  /** Interval of a watcher's reports, and their interval while somebody looks at the picture. */
  cameraReportMs: 5_000,
  cameraPictureMs: 2_000,
  /** A camera is live if its last frame is not older. */
  cameraLiveMs: 15_000,
  /** A watcher sends pictures for this time after a request for the picture. */
  cameraWantedMs: 30_000,
  /** Interval at which core deletes pictures that are no longer wanted. */
  cameraForgetMs: 10_000,
  /** Seconds after which the first picture may be there. */
  cameraPictureRetrySeconds: 2,
  /** Bytes of a picture, and pixels of its longer side. */
  cameraPictureBytes: 256 * 1024,
  cameraPictureSide: 640,
  /** Options of a camera: frames a second, greatest least side of a face in pixels, and seconds of a visit. */
  cameraFps: 30,
  cameraFaceSide: 4_096,
  cameraVisitSeconds: 3_600,
} as const

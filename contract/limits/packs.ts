/** Bounds of the files of packs, of their download, of calibration curves, and of releases. `Ms`: milliseconds. */

export const PACK_LIMITS = {
  /** Bytes of one model file, and of all edge models of a pack. An isolate needs most of its memory for photos. */
  modelBytes: 2 ** 30,
  edgeModelBytes: 16 * 2 ** 20,
  /** Downloads of models: longest silence of the server, consecutive attempts without progress, and redirects. */
  downloadSilenceMs: 30_000,
  downloadAttempts: 5,
  downloadRedirects: 5,
  /** Points of the calibration curve in responses. */
  calibrationPoints: 64,
  /** Interval at which core asks for the latest release, if the operator names a server. */
  releaseEveryMs: 86_400_000,
} as const

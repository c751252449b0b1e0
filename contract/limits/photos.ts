/**
 * Bounds of photos and the faces on them: files, detection, and the fetch of a photo by URL. `Ms`: milliseconds. A request has one photo
 * in each photo parameter of its declaration (contract/operations); edge/parameters refuses more.
 */

export const PHOTO_LIMITS = {
  /** Bytes of one photo, uploaded or fetched. */
  bytes: 10 * 2 ** 20,
  /** Pixels of a photo. Photos of 108 Mpx phones fit. */
  pixels: 120_000_000,
  /** Pixels of the longer side of a photo. */
  side: 16_384,
  /** Segments or chunks of a photo file, including metadata and animation frames. Programs write less than a tenth. */
  parts: 10_000,
  /** Characters of the name or URL of a photo. */
  nameLength: 2_048,
  /** Least side of a face box in pixels of the upright photo. Applies to boxes in requests and in responses. */
  faceSide: 50,
  /**
   * Least side of a detected face in pixels. It is below `faceSide` because a detected box is uncertain by some pixels. The
   * reported box is extended to `faceSide`.
   */
  detectedFaceSide: 45,
  /** A detection with a lower score and a lower quality is too poor to recognise. Often it shows no face. */
  recognisable: { score: 0.7, quality: 0.05 },
  /** Input pixels of the network that proposes faces, on all its scales. It bounds the time of a photo. See docs/detection.md. */
  detectionPixels: 300_000,
  /** Selected faces of one photo, by boxes or by selector. Detection without selection has no bound. */
  selectedFaces: 1_024,
  /** Pairs of faces of one verification. */
  pairs: 16_384,
  /**
   * Selected faces that go to core in one message: their chips, their thumbnails and the message take 46 MB of an isolate. More
   * faces go in groups: core works on one group while the edge cuts out the next one. This takes no more memory.
   */
  ungroupedFaces: 128,
  facesPerGroup: 64,
  /** Fetch of a photo by URL: time to connect, and total time. */
  connectMs: 3_000,
  fetchMs: 10_000,
  /** DNS: lookup of a host, lookup of a trusted host by the system, and check that the name servers respond. */
  lookupMs: 5_000,
  trustedNameMs: 8_000,
  /** Addresses of one host, and addresses that are tried. */
  hostAddresses: 64,
  hostAttempts: 8,
  /** Bytes of response headers, and concurrent fetches (at most 320 MB of photos). An owner holds at most as many as are free. */
  headerBytes: 16_384,
  fetches: 32,
} as const

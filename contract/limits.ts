/** All bounds of the service: sizes, counts and times. Names that end in `Ms` are milliseconds. */
import { ALERT_LIMITS } from './alert-limits.ts'
import { CAMERA_LIMITS } from './camera-limits.ts'
import { EVENT_LIMITS } from './event-limits.ts'

export const LIMITS = {
  /** Bytes of one photo, uploaded or fetched. */
  photoBytes: 10 * 2 ** 20,
  /** Bytes of a request body. */
  bodyBytes: 64 * 2 ** 20,
  /** Bytes of a photo as a data: URL. Base64 adds a third, and forms escape some characters. */
  dataUrlBytes: 16 * 2 ** 20,
  /** Bytes of a JSON or form body without its photos, and of one text field of a multipart body. */
  plainBodyBytes: 4 * 2 ** 20,
  /** Fields of a query, a form or a multipart body, and top-level names of a JSON body. */
  requestFields: 2_000,
  /** Values of a JSON text on all levels, and nesting levels of lists and objects in one parameter. */
  jsonValues: 10_000,
  nestingLevels: 32,
  /** Characters of a field name, and of a list or an object as text. */
  parameterNameLength: 256,
  structureLength: 256 * 1024,
  /** Bytes of the headers of one multipart part, and of the preamble before the first part. */
  partHeaderBytes: 8_192,
  preambleBytes: 4_096,
  /** Ignored parameter names that a response lists, and characters of each. */
  ignoredNames: 20,
  ignoredNameLength: 64,
  /** Pixels of a photo. Photos of 108 Mpx phones fit. */
  photoPixels: 120_000_000,
  /** Pixels of the longer side of a photo. */
  photoSide: 16_384,
  /** Segments or chunks of a photo file, including metadata and animation frames. Programs write less than a tenth. */
  photoParts: 10_000,
  /** Least side of a face box in pixels of the upright photo. Applies to boxes in requests and in responses. */
  faceSide: 50,
  /**
   * Least side of a detected face in pixels. It is below `faceSide` because a detected box is uncertain by some pixels. The
   * reported box is extended to `faceSide`.
   */
  detectedFaceSide: 45,
  /**
   * Pixel budget of the small-face network: for the whole photo, and for tiles around uncertain faces of a large photo.
   * It bounds the time of a photo. See docs/detection.md.
   */
  detectionPixels: 300_000,
  closerPixels: 200_000,
  /**
   * Selected faces of one request, by boxes or by selector. Their chips, their thumbnails and the message to core take 46 MB
   * of an isolate. Detection without selection has no bound.
   */
  boxes: 128,
  /** Characters of a meta string. */
  metaLength: 4_096,
  /** Characters of the name or URL of a photo. */
  photoNameLength: 2_048,
  /** Gallery names in one request. */
  galleriesPerRequest: 100,
  /** Candidates of one probe. */
  matches: 1_000,
  /** Results of one page: maximum and default. */
  pageSize: 1_000,
  defaultPageSize: 100,
  /** Greatest person id that a caller may set. The service assigns ids above it. */
  givenPersonId: 2 ** 52,
  /** Characters of a `person_id` that is a text. */
  personTextLength: 255,
  /** Persons of one merge, faces of one split, and persons of one page of suggestions: maximum and default. */
  mergedPersons: 100,
  splitFaces: 1_000,
  suggestionPage: 50,
  defaultSuggestionPage: 20,
  /** Newest faces of a person that its representative face is chosen from. */
  representedFaces: 100,
  /** Suggestions for one person, and vectors of its gallery that are compared. */
  suggestionsPerPerson: 5,
  suggestionVectors: 1_000,
  /** Pixels of a camera region: width, height, x and y. */
  regionSide: 1_000_000,
  /** Cameras in one request. */
  camerasPerRequest: 1_000,
  /** Rows of an unbounded list that core holds in memory. */
  streamChunk: 500,
  ...EVENT_LIMITS,
  ...ALERT_LIMITS,
  ...CAMERA_LIMITS,
  /** Bytes of `detectorParams`. */
  detectorInfoBytes: 16_384,
  /** Characters of an Idempotency-Key, and how long its response is kept. */
  idempotencyKeyLength: 255,
  idempotencyKeptMs: 24 * 3_600_000,
  /** Bytes of one model file, and of all edge models of a pack. An isolate needs most of its memory for photos. */
  modelBytes: 2 ** 30,
  edgeModelBytes: 16 * 2 ** 20,
  /** Downloads of models: longest silence of the server, consecutive attempts without progress, and redirects. */
  downloadSilenceMs: 30_000,
  downloadAttempts: 5,
  downloadRedirects: 5,
  /** How long edges away from core cache the lookup of a token. They refuse a revoked token within this time. */
  tokenTrustedMs: 20_000,
  /**
   * Tokens through the API: valid tokens of an owner, tokens in a list, characters of a name, greatest rate, and longest grace
   * period of a rotation.
   */
  ownerTokens: 1_000,
  listedTokens: 1_000,
  tokenNameLength: 255,
  tokenRate: 1_000_000,
  tokenGraceHours: 720,
  /** Lookups of unknown, well-formed tokens per second and isolate of the edge. */
  unknownTokensPerSecond: 50,
  /**
   * Log lines of an isolate of the edge about requests with one code: per second, and burst after a pause. Further requests
   * are counted, and the count is logged after `requestCountMs`.
   */
  requestLinesPerSecond: 20,
  requestLinesAtOnce: 500,
  requestCountMs: 10_000,
  /**
   * Counts that an edge sends to core: elements of one batch, characters of its header, observations in it; least time between
   * two batches, and time after which a batch goes without a request; edge processes that core remembers, and time without a
   * batch after which a process no longer counts as running.
   */
  metricsSamples: 48,
  metricsHeaderLength: 8_000,
  metricsObservations: 10_000,
  metricsEveryMs: 1_000,
  metricsFlushMs: 5_000,
  metricsEdges: 10_000,
  metricsEdgeMs: 60_000,
  /**
   * Traced requests of an isolate of the edge: those that wait for a batch, characters of those in one batch, stages of each.
   * A batch with all its elements still fits `metricsHeaderLength`.
   */
  tracesWaiting: 256,
  tracesLength: 4_000,
  tracedStages: 16,
  /** Interval at which edge and core log advice about rejected signatures, for each reason. */
  trustAdviceMs: 10_000,
  /** Start page: how long it caches the readiness of core, and how long it waits for the response. */
  healthEveryMs: 5_000,
  /** Pause of an edge after it could not load the pack of core, in milliseconds. */
  packRetryMs: 5_000,
  healthMs: 2_000,
  /** Seconds that a browser may cache the response to a preflight request. */
  preflightSeconds: 600,
  /** RPC requests that core handles at once, and bytes of all their frames. */
  coreRequests: 256,
  coreRequestBytes: 256 * 2 ** 20,
  /** Interval at which core stores the times of last use of tokens. */
  usesEveryMs: 60_000,
  /**
   * An isolate of the edge: requests in progress, bytes of their bodies, and queued requests, whose bodies are not read yet.
   * Next to 42 MB of bodies, networks and decoders fit into its 128 MB. One token gets at most half of each.
   */
  edgeRequests: 64,
  edgeBodyBytes: 42 * 2 ** 20,
  edgeWaiting: 192,
  /**
   * Photos that an isolate analyses at once, at most one per token; and the estimated microseconds of computation after which
   * an analysis yields to other requests. It is an estimate because the clock of a deployed isolate stops during computation.
   */
  edgeAnalyses: 4,
  pieceUs: 12_000,
  /** Longest wait of a request or photo in the queue, and longest time in progress before it counts as lost. */
  edgeWaitMs: 30_000,
  edgePermitMs: 120_000,
  /**
   * Request line and headers: bytes, time to arrive, and interval of the check. The sum of the two times bounds how long a
   * caller holds a connection without a request.
   */
  headerBytes: 64 * 2 ** 10,
  headerArrivalMs: 14_000,
  headerCheckMs: 2_000,
  /** Client connections of one edge. */
  edgeConnections: 4_096,
  /** Keep-alive time of an idle client connection. */
  callerRestMs: 60_000,
  /** How long a caller may continue to send after an early response, and after bytes that are not HTTP. */
  unreadBodyMs: 30_000,
  brokenRequestMs: 2_000,
  /** Longest time for a request body to arrive. */
  bodyArrivalMs: 30_000,
  /** How long an edge reads and drops the remaining body of a refused request. */
  refusedBodyMs: 2_000,
  /** How long the edge waits for one response of core. */
  coreAnswerMs: 20_000,
  /** Cores of one edge. */
  cores: 16,
  /**
   * Edge with several cores: interval of health checks; their timeout; how long a request waits before it causes a health
   * check; and how old the last response of a core may be before a request that is not repeatable needs a health check first.
   */
  coreLookEveryMs: 10_000,
  coreCheckMs: 1_500,
  coreSlowMs: 1_000,
  coreAliveMs: 1_000,
  /** How long a failed core is skipped: after the first failure, and at most. The time doubles with each failure. */
  corePauseMs: 250,
  corePausesMs: 8_000,
  /** Latency above 1.5 times that of the nearest core with which a core still counts as near. */
  coreNearMs: 5,
  /** Greatest difference of the clocks of edge and core. */
  signatureWindowMs: 300_000,
  /** Nonces that core remembers for `signatureWindowMs`, in 12 MB: 3,000 requests per second. */
  nonces: 1_000_000,
  /** Fetch of a photo by URL: time to connect, and total time. */
  photoConnectMs: 3_000,
  photoFetchMs: 10_000,
  /** DNS: lookup of a host, lookup of a trusted host by the system, and check that the name servers respond. */
  photoNameMs: 5_000,
  trustedNameMs: 8_000,
  nameServerCheckMs: 2_000,
  /** Addresses of one host, and addresses that are tried. */
  hostAddresses: 64,
  hostAttempts: 8,
  /** Bytes of response headers, and concurrent fetches (at most 320 MB of photos). An owner holds at most as many as are free. */
  photoHeaderBytes: 16_384,
  photoFetches: 32,
  /**
   * A bucket of pictures: time of one attempt, attempts, concurrent requests, longest wait for a slot, interval of health
   * checks while it is unavailable, bytes of a response, and keys of one list page (the maximum of all servers).
   */
  bucketAnswerMs: 4_000,
  bucketAttempts: 3,
  bucketRequests: 32,
  bucketWaitMs: 5_000,
  bucketCheckMs: 1_000,
  bucketAnswerBytes: 16 * 2 ** 20,
  bucketPage: 1_000,
  /** Lifetime of a link to a picture. */
  pictureLinkMs: 24 * 3_600_000,
  /** Default for the number of vectors above which the store builds an index for a gallery. */
  indexAbove: 200_000,
  /** Dimensions of a stored vector. */
  vectorLength: 4_096,
  /** Candidates of one search of the store. */
  storeMatches: 4_096,
  /** Faces of one list of the store, and galleries of one statistics list. */
  storeListCount: 1_000_000,
  statisticsCount: 100_000,
  /** A shard: time of one response, and interval of health checks. */
  shardAnswerMs: 3_000,
  shardCheckMs: 1_000,
  /** A shard that becomes unavailable: how long requests wait for it, and interval of health checks meanwhile. */
  shardWaitMs: 5_000,
  shardRecheckMs: 200,
  /** A remote database: time of one response, how long refused connections are retried, and the same at startup. */
  databaseAnswerMs: 5_000,
  databasePatienceMs: 1_000,
  databaseStartMs: 30_000,
  /** Lease of a core on a shared database: lifetime, and interval of renewal. */
  leaseMs: 30_000,
  leaseEveryMs: 5_000,
  /** How long a change is retried after concurrent changes by other cores, and the longest pause between attempts. */
  conflictRetryMs: 10_000,
  conflictPauseMs: 30,
  /** Faces of one batch of a deletion or a reconciliation. */
  reconcileBatch: 1_000,
  /** How long the deletion of a gallery delays its response. The rest continues in the background. */
  deletionAnswerMs: 10_000,
  /** Interval of reconciliation, and least age of the intents it reconciles. Requests end well before this age. */
  reconcileEveryMs: 30_000,
  intentAgeMs: 120_000,
  /** Greatest retention in days, and interval at which expired faces are deleted. */
  retentionDays: 36_500,
  retentionEveryMs: 600_000,
  /**
   * Free bytes of a disk below which writes stop, and bytes of the reserve for deletions. Neither exceeds 1 / `diskShares` of
   * the disk. The free space is also checked at the interval `diskLookEveryMs`.
   */
  diskLeastBytes: 16 * 2 ** 20,
  diskReserveBytes: 8 * 2 ** 20,
  diskShares: 16,
  diskLookEveryMs: 5_000,
  /** Interval at which failed authentications are written to the audit log, and its head to the log. */
  refusalsEveryMs: 60_000,
  /** Bytes of a log file of `npm start`. One older file of this size is kept. */
  logBytes: 10_000_000,
  /** Ids in one entry of the audit log. */
  auditIds: 1_000,
  /** Entries of the audit log that one request verifies, and age of a complete verification after which the next one begins. */
  auditVerified: 10_000,
  auditVerifiedMs: 600_000,
  /** Points of the calibration curve in responses. */
  calibrationPoints: 64,
  /** Calibration for a site: least number of people, pictures that are compared, and people of the cohort. */
  calibrationPeople: 500,
  calibrationPictures: 10_000,
  cohort: 2_000,
} as const

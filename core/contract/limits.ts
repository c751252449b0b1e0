/** Every bound of the service, in one place. */

export const LIMITS = {
  /** Bytes of one photo, uploaded or fetched. */
  photoBytes: 10 * 2 ** 20,
  /** Bytes of a request body. */
  bodyBytes: 64 * 2 ** 20,
  /** Bytes of a photo as a data: URL. Base64 adds a third, and forms escape a part of it. */
  dataUrlBytes: 16 * 2 ** 20,
  /** Bytes of a JSON or form body beside its photos, and of one text of a multipart body. */
  plainBodyBytes: 4 * 2 ** 20,
  /** Fields of a query, a form or a multipart body, and names at the top of a JSON body. */
  requestFields: 2_000,
  /** Values of a JSON text on all levels, and levels of lists and objects in one parameter. */
  jsonValues: 10_000,
  nestingLevels: 32,
  /** Characters of a field's name, and of a list or an object that is written as text. */
  parameterNameLength: 256,
  structureLength: 256 * 1024,
  /** Bytes of the headers of one part of a multipart body, and of what stands before the first part. */
  partHeaderBytes: 8_192,
  preambleBytes: 4_096,
  /** Names that an answer lists as ignored, and characters of each. */
  ignoredNames: 20,
  ignoredNameLength: 64,
  /** Pixels of a photo: what a 108 Mpx telephone makes still passes. */
  photoPixels: 120_000_000,
  /** Pixels of a photo's longer side. */
  photoSide: 16_384,
  /** Segments or chunks of a photo's file, with its metadata and all frames of an animation: no program writes a tenth. */
  photoParts: 10_000,
  /** Pixels of a face's sides, on the upright photo: of the boxes that callers give, and of all boxes in answers. */
  faceSide: 50,
  /** A detected box is uncertain by some pixels. A face counts from this side on, and its box is reported with at least `faceSide`. */
  detectedFaceSide: 45,
  /**
   * Pixels that the small-face network is shown at most: of a whole photo, and in tiles around unsure faces of a large one.
   * They bound the time of a photo: docs/detection.md.
   */
  detectionPixels: 300_000,
  closerPixels: 200_000,
  /**
   * Faces that one request may cut out of one photo, whether it names their boxes or means all: chips and thumbnails of
   * so many, and the message that carries them, take 46 MB of an isolate. Detection alone finds any number.
   */
  boxes: 128,
  /** Characters of a meta string. */
  metaLength: 4_096,
  /** Characters of a photo's name or URL. */
  photoNameLength: 2_048,
  /** Gallery names that one request may carry. */
  galleriesPerRequest: 100,
  /** Candidates for one face. */
  matches: 1_000,
  /** Results on one page, and the number when none is asked for. */
  pageSize: 1_000,
  defaultPageSize: 100,
  /** A person's number that a caller may give: far above it the service still finds numbers of its own. */
  givenPersonId: 2 ** 52,
  /** Characters of a person's text that is no number. */
  personTextLength: 255,
  /** Pixels of a camera's regions, sizes and corners alike. */
  regionSide: 1_000_000,
  /** Cameras that one request may name. */
  camerasPerRequest: 1_000,
  /** Rows of an unbounded list that core holds at once. */
  streamChunk: 500,
  /** Bytes of `detectorParams`. */
  detectorInfoBytes: 16_384,
  /** Characters of an Idempotency-Key, and how long its answer is kept. */
  idempotencyKeyLength: 255,
  idempotencyKeptMs: 24 * 3_600_000,
  /** Bytes of one model file, and of all that the edge has of a pack: an isolate has little room beside photos. */
  modelBytes: 2 ** 30,
  edgeModelBytes: 16 * 2 ** 20,
  /** Downloads of models: how long a server may be silent, attempts in a row that bring next to nothing, redirections. */
  downloadSilenceMs: 30_000,
  downloadAttempts: 5,
  downloadRedirects: 5,
  /** How long an edge believes core's word on a token: a revoked one is refused everywhere from then on. */
  tokenTrustedMs: 20_000,
  /** Well-formed tokens that nobody has, of which an edge asks core in a second. */
  strangersPerSecond: 50,
  /**
   * Lines that an isolate of the edge writes about refusals of one code: in a second, and in one go after a pause. Others are
   * counted, and the count is written after this time.
   */
  refusalLinesPerSecond: 20,
  refusalLinesAtOnce: 500,
  refusalCountMs: 10_000,
  /** How often edge and core say in their logs that one does not trust the other, and what to do. */
  distrustToldMs: 10_000,
  /** How often the start page asks whether core is ready, and how long it waits for the answer. */
  healthEveryMs: 5_000,
  healthMs: 2_000,
  /** How long a browser may remember the answer to a preflight request: seconds. */
  preflightSeconds: 600,
  /** Questions of edges that core works on at once, and bytes of all their frames. */
  coreQuestions: 256,
  coreQuestionBytes: 256 * 2 ** 20,
  /** How often it is written down when tokens were used last. */
  usesEveryMs: 60_000,
  /**
   * Requests that an isolate of the edge works on at once, bytes of their bodies, and requests that wait before theirs are
   * read: beside 42 MB of bodies, its 128 MB have room for networks and decoders. One token has half of each at most.
   */
  edgeRequests: 64,
  edgeBodyBytes: 42 * 2 ** 20,
  edgeWaiting: 192,
  /**
   * Photos that an isolate analyses at once, one of a token, and the work of theirs in microseconds, as estimated, after which
   * other requests are heard. A deployed isolate's clock stands still while it works.
   */
  edgeAnalyses: 4,
  pieceUs: 12_000,
  /** How long one may wait there, and how long one may be worked on, before it counts as lost. */
  edgeWaitMs: 30_000,
  edgeVisitMs: 120_000,
  /**
   * A request's line and headers: their bytes, how long they may take to arrive, and how often that is checked. Together
   * these two times are the longest that a caller holds a connection without a request.
   */
  headerBytes: 64 * 2 ** 10,
  headerArrivalMs: 14_000,
  headerCheckMs: 2_000,
  /** Connections of callers to one edge. */
  edgeConnections: 4_096,
  /** How long a caller's connection may rest between requests. */
  callerRestMs: 60_000,
  /** How long a caller that is answered early may go on sending, and how long one whose bytes are no HTTP. */
  unreadBodyMs: 30_000,
  brokenRequestMs: 2_000,
  /** How long a whole request body may take to arrive. */
  bodyArrivalMs: 30_000,
  /** How long an edge goes on to read and drop the body of a request that it refuses before the body is there. */
  refusedBodyMs: 2_000,
  /** How long the edge waits for one answer of core. */
  coreAnswerMs: 20_000,
  /** Cores that an edge may ask. */
  cores: 16,
  /**
   * Where an edge has several: how often it looks whether each is ready, how long that may take, how long a question may
   * wait before a look, and how long a core may have said nothing before one is asked to change what cannot be repeated.
   */
  coreLookEveryMs: 10_000,
  coreLookMs: 1_500,
  coreSlowMs: 1_000,
  coreHeardMs: 1_000,
  /** For how long one that failed is passed over: at first, and at most. */
  corePauseMs: 250,
  corePausesMs: 8_000,
  /** How much further than the nearest one a core may be, to count as near as well. */
  coreNearMs: 5,
  /** How far the clocks of edge and core may differ. */
  signatureWindowMs: 300_000,
  /** Signed requests that core remembers for that long, in 12 MB: 3,000 a second. */
  nonces: 1_000_000,
  /** Fetching a photo by URL: to connect, and in all. */
  photoConnectMs: 3_000,
  photoFetchMs: 10_000,
  /** Of that, for the addresses of its host; of a trusted host; and for the question whether the name servers answer at all. */
  photoNameMs: 5_000,
  trustedNameMs: 8_000,
  nameServerCheckMs: 2_000,
  /** Addresses that one host may have, and those that are tried. */
  hostAddresses: 64,
  hostAttempts: 8,
  /** Bytes of the answer's headers, and fetches at a time: 320 MB of photos at most. An owner may hold as many as are free. */
  photoHeaderBytes: 16_384,
  photoFetches: 32,
  /**
   * A bucket of pictures: one attempt at a request, attempts, requests at a time, how long others wait for their turn, how
   * often one that is away is asked whether it is back, bytes of an answer, and keys of one page of a list, which no server
   * makes longer.
   */
  bucketAnswerMs: 4_000,
  bucketAttempts: 3,
  bucketRequests: 32,
  bucketWaitMs: 5_000,
  bucketCheckMs: 1_000,
  bucketAnswerBytes: 16 * 2 ** 20,
  bucketPage: 1_000,
  /** How long a link to a picture works. */
  pictureLinkMs: 24 * 3_600_000,
  /** Vectors of a gallery in the store that are searched without an index, where no other number is set. */
  indexAbove: 200_000,
  /** Numbers of a stored vector. */
  vectorLength: 4_096,
  /** Candidates of one search of the store: for its operators, and for another core, which merges them. */
  storeMatches: 4_096,
  shardMatches: 1_000_000,
  /** Faces of one list of the store, and galleries of one list of the statistics. */
  storeListCount: 1_000_000,
  statisticsCount: 100_000,
  /** How long a shard may take for one answer, how often it is asked whether it is well, and the bytes of its answer. */
  shardAnswerMs: 3_000,
  shardCheckMs: 1_000,
  shardAnswerBytes: 128 * 2 ** 20,
  /** How long, after a shard has gone, what needs it waits for it, and how often it is asked meanwhile whether it is back. */
  shardPatienceMs: 5_000,
  shardLookMs: 200,
  /** How long a database elsewhere may take for one answer, how long it is waited for once it refuses, and by a start. */
  databaseAnswerMs: 5_000,
  databasePatienceMs: 1_000,
  databaseStartMs: 30_000,
  /** How long a core that shares the database counts as alive after it said so, and how often it does. */
  leaseMs: 30_000,
  leaseEveryMs: 5_000,
  /** How long a change is tried again that other cores overtake, and the longest pause between. */
  overtakenMs: 10_000,
  overtakenPauseMs: 30,
  /** Faces of a deletion, or of what is left over, that are handled at once. */
  settleStride: 1_000,
  /** How long a gallery's deletion may keep its caller waiting: the rest follows behind the answer. */
  deletionAnswerMs: 10_000,
  /** How often what is left over is looked for, and how old it has to be: far older than requests get. */
  settleEveryMs: 30_000,
  unsettledMs: 120_000,
  /** Days that faces may be kept for, where that is set, and how often those are looked for that were kept so long. */
  retentionDays: 36_500,
  retentionEveryMs: 600_000,
  /**
   * Bytes that are left on a disk when writes stop, and bytes of the reserve that deletions may use then. Neither is more
   * than one of so many shares of the disk. How often it is looked at besides.
   */
  diskLeastBytes: 16 * 2 ** 20,
  diskReserveBytes: 8 * 2 ** 20,
  diskShares: 16,
  diskLookEveryMs: 5_000,
  /** How often failed authentications are counted, and the audit log's head is told. */
  refusalsEveryMs: 60_000,
  /** Bytes of a log file of `npm start`. One older file of this size is kept beside it. */
  logBytes: 10_000_000,
  /** Ids that one entry of the audit log lists. */
  auditIds: 1_000,
  /** Calibrating for a site: people that are needed, pictures that are compared, and people of the cohort that is kept. */
  calibrationPeople: 500,
  calibrationPictures: 10_000,
  cohort: 2_000,
} as const

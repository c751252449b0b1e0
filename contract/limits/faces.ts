/** Bounds of stored faces, galleries and persons, and of lists of them. `Ms`: milliseconds. */

export const FACE_LIMITS = {
  /** Characters of a meta string. */
  metaLength: 4_096,
  /** Different words of a name to search for. Each is sought in all names of an owner. */
  wordsToFind: 16,
  /** Gallery names in one request. */
  galleriesPerRequest: 100,
  /**
   * Enrolments with several messages. Core keeps their faces in memory until `preparedMs` after the last message: 50 MB each, an
   * owner holds at most half.
   */
  preparations: 6,
  preparedMs: 60_000,
  /** Candidates of one probe, and of all faces of a photo. 10,000 are 9 MB of JSON. */
  matches: 1_000,
  matchesPerAnswer: 10_000,
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
  /**
   * Faces whose mean is the template of a person. Newest confirmed faces that are compared with the template. Maximum of confirmed
   * faces that are evidence beside the template because they do not match it.
   */
  templateFaces: 10,
  confirmedFaces: 32,
  outlyingFaces: 8,
  /** Faces of a person to ignore that outlive their retention. */
  silentFaces: 8,
  suggestionsPerPerson: 5,
  /**
   * People of a gallery who are compared to find thresholds; pairs below which a threshold is a guess; faces up to which a gallery is
   * measured during a search, and interval at which core looks for larger ones.
   */
  judgedPeople: 300,
  judgedPairs: 20,
  judgedAtOnce: 10_000,
  judgeEveryMs: 15_000,
  /** Faces of one page of the check of a gallery. */
  checkPage: 50,
  /**
   * Grouping of stored faces to persons: interval at which core looks for a grouping, steps of an owner before the next owner's
   * turn, and faces of one step of an undo.
   */
  groupingEveryMs: 1_000,
  groupingSteps: 100,
  groupingUndone: 500,
  /** Interval at which each core reads the changed settings. */
  settingsEveryMs: 2_000,
  /** Rows of an unbounded list that core holds in memory. */
  streamChunk: 500,
  /** Bytes of `detectorParams`. */
  detectorInfoBytes: 16_384,
  /** Characters of the display name of a gallery. */
  displayNameLength: 100,
  /** Greatest retention in days, and interval at which expired faces are deleted. */
  retentionDays: 36_500,
  retentionEveryMs: 600_000,
  /** Faces of one batch of a deletion or a reconciliation. */
  reconcileBatch: 1_000,
  /** How long a deletion of a gallery, or of vectors and pictures, delays its response. The rest continues in the background. */
  deletionAnswerMs: 10_000,
  /**
   * Changes of a person with many faces: faces of one transaction, and faces that are left for the last one. One transaction for 100,000
   * faces would hold up all requests for many seconds.
   */
  personStep: 250,
  personEnd: 1_000,
  /** Interval of reconciliation, and least age of the intents it reconciles. Requests end well before this age. */
  reconcileEveryMs: 30_000,
  intentAgeMs: 120_000,
} as const

/** Shares of strangers with a match (FPIR) for the verdicts on matches. */
export const SEARCH_LIMITS = {
  certainFpir: 1e-3,
  probableFpir: 1e-2,
  /** A face with a candidate at this share founds no person. */
  candidateFpir: 5e-2,
} as const

/** Bounds of tokens, of their lookups, and of sign-in. `Ms`: milliseconds. */

export const TOKEN_LIMITS = {
  /** How long edges away from core cache the lookup of a token. They refuse a revoked token within this time. */
  trustedMs: 20_000,
  /**
   * Tokens: valid tokens of an owner, tokens in a list, characters of a name, least and greatest rate, longest grace period of a
   * rotation, and longest life. An end in microseconds must be a safe integer.
   */
  perOwner: 1_000,
  listed: 1_000,
  nameLength: 255,
  leastRate: 0.001,
  rate: 1_000_000,
  graceHours: 720,
  lifeMs: 36_500 * 86_400_000,
  /** Lookups of unknown, well-formed tokens per second, of one network and isolate of the edge. */
  unknownTokensPerSecond: 50,
  /** Sign-ins per second, of one network and isolate of the edge, right or wrong. An office may share an address. */
  signInsPerSecond: 50,
  /** Passkeys and links that a core checks at one time. Others wait. */
  signInsAtOnce: 2,
  signInWaitMs: 10_000,
  /** Sessions of a user. */
  sessions: 20,
  /** Lifetimes: of a session, of a link of `mien start`, of an invitation by default and at most, and of the challenge of a passkey. */
  sessionMs: 7 * 86_400_000,
  startLinkMs: 3_600_000,
  invitationMs: 3 * 86_400_000,
  longestInvitationMs: 30 * 86_400_000,
  challengeMs: 300_000,
  /** Bytes of the body of a sign-in. */
  signInBytes: 32_768,
  /** Interval at which core stores the times of last use of tokens. */
  usesEveryMs: 60_000,
} as const

/** Bounds of sign-in by an OpenID provider. */
export const PROVIDER_LIMITS = {
  /** Longest time of a sign-in at the provider. */
  attemptMs: 600_000,
  /** Time of one request. A sign-in has at most four, and an edge waits for EDGE_LIMITS.coreAnswerMs. */
  requestMs: 4_000,
  /** How long an answer with its metadata serves, right or wrong. */
  metadataMs: 2_000,
  /** Characters of a response, and bytes of its headers. */
  length: 1_048_576,
  headerBytes: 16_384,
  /** Characters of the query with which it sends a browser back. */
  answerLength: 8_192,
} as const

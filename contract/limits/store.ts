/** Bounds of stored data of core: vectors in shards, the database, the audit log, the bucket, and the disk. `Ms`: milliseconds. */

export const STORE_LIMITS = {
  /** Default for the number of vectors above which the store builds an index for a gallery. */
  indexAbove: 200_000,
  /** Dimensions of a stored vector. */
  vectorLength: 4_096,
  /** Candidates of one search of the store. */
  storeMatches: 4_096,
  /** Galleries that a command asks a running store for at once. */
  statisticsCount: 100_000,
  /** A shard: time of one response, and interval of health checks. */
  shardAnswerMs: 3_000,
  shardCheckMs: 1_000,
  /** A shard that becomes unavailable: how long requests wait for it, and interval of health checks until it answers. */
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
  /** Interval at which failed authentications are written to the audit log, and its head to the log. */
  refusalsEveryMs: 60_000,
  /** Longest interval of backups in hours: the longest timer of Node. */
  backupHours: 576,
  /** Ids in one entry of the audit log. */
  auditIds: 1_000,
  /** Entries of the audit log that one request verifies, and age of a complete verification after which the next one begins. */
  auditVerified: 10_000,
  auditVerifiedMs: 600_000,
  /**
   * A bucket of pictures: time of one attempt, attempts, concurrent requests, longest wait for a slot. Then: interval of health
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
  /**
   * Free bytes of a disk below which writes stop, and bytes of the reserve for deletions. Neither exceeds 1 / `diskShares` of
   * the disk. The free space is also checked at the interval `diskLookEveryMs`.
   */
  diskLeastBytes: 16 * 2 ** 20,
  diskReserveBytes: 8 * 2 ** 20,
  diskShares: 16,
  diskLookEveryMs: 5_000,
} as const

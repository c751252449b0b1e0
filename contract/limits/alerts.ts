/** Bounds of alert rules and of the deliveries of their messages. `Ms`: milliseconds. */

export const ALERT_LIMITS = {
  /**
   * Alert rules: number per owner, characters of a name, hours of a rule, longest cool-down, and matches in a message. Then:
   * interval at which core looks for events of other cores, events of one evaluation, and the approximate maximum of deliveries
   * that they add: one transaction delays all others.
   */
  rules: 50,
  nameLength: 200,
  persons: 1_000,
  hours: 21,
  cooldownSeconds: 86_400,
  matches: 5,
  everyMs: 1_000,
  chunk: 100,
  chunkDeliveries: 1_000,
  /**
   * Deliveries: pending deliveries of a rule above which its evaluation waits; time for which ended deliveries are listed;
   * concurrent attempts of a core, and of a rule; time of one attempt and of its connection; bytes of response headers; time for
   * which another core waits for an attempt; time from the first attempt to the last; secrets of a webhook, and time for which a
   * replaced secret is still used.
   */
  deliveriesPending: 10_000,
  deliveryKeptMs: 7 * 24 * 3_600_000,
  deliveriesAtOnce: 32,
  deliveriesOfRule: 8,
  deliveryMs: 15_000,
  deliveryConnectMs: 3_000,
  deliveryHeaderBytes: 16_384,
  deliveryLeaseMs: 30_000,
  deliveryRetriesMs: 24 * 3_600_000,
  /**
   * Notifications: browsers of an owner, and of one user or token; waiting messages of a browser; time from the first attempt of a
   * message to the last; characters of its texts, also on phones. Push services take messages of 4,096 bytes.
   */
  browsers: 200,
  browsersOfOne: 20,
  browserPending: 100,
  notificationRetriesMs: 4 * 3_600_000,
  notificationLength: 300,
  webhookSecrets: 3,
  webhookSecretMs: 24 * 3_600_000,
} as const

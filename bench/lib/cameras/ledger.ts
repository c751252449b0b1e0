/** Books which events a watcher, a webhook and a broker have seen, and judges: none lost, none under two ids. */

/** What is known of one face. Times are milliseconds since 1970. */
interface Entry {
  /** Name of the fault during which the service acknowledged the face. */
  fault?: string
  acknowledgedAt?: number
  /** Number of deliveries by id. */
  webhooks: Map<string, number>
  messages: Map<string, number>
}

export type Way = 'webhooks' | 'messages'

export interface FaultCounts {
  events: number
  /** Acknowledged events that the history, the receiver or the broker lacks. */
  lost: number
  /** Events that came under two ids of webhooks or messages. */
  underTwoIds: number
  /** Deliveries beyond the first, with the same id. */
  repeated: number
}

export interface Ledger {
  acknowledge(face: number, fault: string): void
  deliver(way: Way, face: number, id: string): void
  /** Whether a face that the service acknowledged since this time has arrived everywhere. */
  hasArrivedSince(time: number): boolean
  /** Number of acknowledged faces that have not arrived everywhere. */
  missing(): number
  /** Counts of a fault. `stored` are the faces of the history. */
  counts(fault: string, stored: ReadonlySet<number>): FaultCounts
}

export function openLedger(now: () => number = Date.now): Ledger {
  const entries = new Map<number, Entry>()
  const entryOf = (face: number): Entry => {
    const entry = entries.get(face) ?? { webhooks: new Map(), messages: new Map() }
    entries.set(face, entry)
    return entry
  }
  const acknowledged = () =>
    [...entries.values()].filter(({ acknowledgedAt }) => acknowledgedAt !== undefined)
  return {
    acknowledge(face, fault) {
      Object.assign(entryOf(face), { fault, acknowledgedAt: now() })
    },
    deliver(way, face, id) {
      const ids = entryOf(face)[way]
      ids.set(id, (ids.get(id) ?? 0) + 1)
    },
    hasArrivedSince: time => acknowledged().some(entry => entry.acknowledgedAt! >= time && hasArrived(entry)),
    missing: () => acknowledged().filter(entry => !hasArrived(entry)).length,
    counts(fault, stored) {
      const those = [...entries].filter(([, entry]) => entry.fault === fault)
      const count = (is: (entry: Entry, face: number) => boolean) =>
        those.filter(([face, entry]) => is(entry, face)).length
      return {
        events: those.length,
        lost: count((entry, face) => !hasArrived(entry) || !stored.has(face)),
        underTwoIds: count(({ webhooks, messages }) => webhooks.size > 1 || messages.size > 1),
        repeated: those.reduce((sum, [, entry]) => sum + repeatsOf(entry), 0),
      }
    },
  }
}

const hasArrived = ({ webhooks, messages }: Entry): boolean => webhooks.size > 0 && messages.size > 0

const repeatsOf = ({ webhooks, messages }: Entry): number =>
  [...webhooks.values(), ...messages.values()].reduce((sum, times) => sum + times - 1, 0)

/** Counts the requests of an isolate, and hands the counts to core in numbered batches, with its other requests. */

import { hex } from '../contract/digest.ts'
import { environment } from '../contract/environment.ts'
import { RPC_LIMITS } from '../contract/limits/rpc.ts'
import {
  DURATION_BOUNDS,
  type EdgeStage,
  METRICS_HEADER,
  type MetricsBatch,
  OTHER,
  type ResponseCode,
} from '../contract/metrics.ts'
import type { ApiOperation } from '../contract/operations/table.ts'

/** Counts a run of a stage that ends now. `startedAt` is in Unix milliseconds. */
export type StageEnded = (stage: EdgeStage, startedAt: number) => void

/** Facts of an answered request. */
export interface Outcome {
  /** Undefined for a request that names no operation. */
  operation?: ApiOperation
  code: ResponseCode
  /** Time to the response, in milliseconds. */
  ms: number
}

/** Counts of an isolate, and the transport of their increments. No method waits: requests share no promise. */
export interface EdgeMetrics {
  stageEnded: StageEnded
  /** Counts a response. `isOverload`: the isolate had no room for the request. */
  requestEnded(outcome: Outcome, isOverload?: boolean): void
  /** Whether a core has not yet acknowledged some counts. */
  readonly isPending: boolean
  /**
   * Value of METRICS_HEADER for a request to this core. Undefined when nothing is to be sent, or when the last batch went to
   * this core less than RPC_LIMITS.metricsEveryMs ago. A batch belongs to one core and repeats until this core acknowledges it.
   */
  carry(core: string): string | undefined
  /** Takes the headers of a response of this core: the number of the batch that it has counted. */
  answered(core: string, headers: Headers): void
}

interface EdgeMetricsOptions {
  /** Requests in progress, and requests that wait for admission. */
  load(): Pick<MetricsBatch, 'active' | 'waiting'>
  /** Clock in Unix milliseconds. */
  now?: () => number
}

/** Last batch that was sent to a core. `text` is undefined after the acknowledgement. */
interface Sent {
  at: number
  number: number
  text: string | undefined
}

export function edgeMetrics({ load, now = environment.now }: EdgeMetricsOptions): EdgeMetrics {
  const edge = hex(crypto.getRandomValues(new Uint8Array(8)))
  const requests = samples<[ApiOperation | typeof OTHER, ResponseCode]>()
  const stages = samples<[EdgeStage]>()
  const sentTo = new Map<string, Sent>()
  let overloads = 0
  let last = 0

  const isCounted = () => requests.size > 0 || stages.size > 0 || overloads > 0

  const nextBatch = (): Sent => {
    const room = { samples: RPC_LIMITS.metricsSamples, observations: RPC_LIMITS.metricsObservations }
    const batch: MetricsBatch = {
      edge,
      number: ++last,
      requests: requests.take(room),
      stages: stages.take(room),
      overloads,
      ...load(),
    }
    overloads = 0
    return { at: now(), number: batch.number, text: JSON.stringify(batch) }
  }

  return {
    stageEnded: (stage, startedAt) => stages.add([stage], now() - startedAt),
    requestEnded({ operation, code, ms }, isOverload = false) {
      requests.add([operation ?? OTHER, code], ms)
      if (isOverload) overloads++
    },
    get isPending() {
      return isCounted() || [...sentTo.values()].some(({ text }) => text !== undefined)
    },
    carry(core) {
      const sent = sentTo.get(core)
      if (sent && now() - sent.at < RPC_LIMITS.metricsEveryMs) return undefined
      if (sent?.text === undefined && !isCounted()) return undefined
      const next = sent?.text === undefined ? nextBatch() : { ...sent, at: now() }
      sentTo.set(core, next)
      return next.text
    },
    answered(core, headers) {
      const sent = sentTo.get(core)
      if (sent && headers.get(METRICS_HEADER) === String(sent.number)) sent.text = undefined
    },
  }
}

/** Observations with the same labels and the same bucket. */
interface Sample<Labels extends readonly string[]> {
  labels: Labels
  count: number
  seconds: number
}

/** Room that is left in a batch. */
interface Room {
  samples: number
  observations: number
}

/** Samples by labels and bucket. Their number is bounded by the tables of labels. */
function samples<Labels extends readonly string[]>() {
  const all = new Map<string, Sample<Labels>>()
  return {
    get size() {
      return all.size
    },
    add(labels: Labels, ms: number) {
      const seconds = Math.max(0, ms) / 1000
      const key = [...labels, DURATION_BOUNDS.findIndex(bound => seconds <= bound)].join(' ')
      const { count, seconds: sum } = all.get(key) ?? { count: 0, seconds: 0 }
      all.set(key, { labels, count: count + 1, seconds: sum + seconds })
    },
    /** Removes samples that fit the room. Of a larger sample, the rest stays. */
    take(room: Room): [...Labels, number, number][] {
      const taken: [...Labels, number, number][] = []
      for (const [key, { labels, count, seconds }] of all) {
        const part = Math.min(count, room.observations)
        if (part === 0 || room.samples === 0) break
        room.samples--
        room.observations -= part
        const share = (seconds * part) / count
        taken.push([...labels, part, Number(share.toFixed(6))])
        if (part === count) all.delete(key)
        else all.set(key, { labels, count: count - part, seconds: seconds - share })
      }
      return taken
    },
  }
}

/** Records traced requests of an isolate, until batches of metrics take them to core, which exports them. */
import { RPC_LIMITS } from '../contract/limits/rpc.ts'
import { type EdgeStage, OTHER, type ResponseCode, type TracedRequest } from '../contract/metrics.ts'
import type { ApiOperation } from '../contract/operations/table.ts'
import { hex } from '../contract/rpc/signature.ts'
import { sampledTraceparent, traceContextOf } from '../contract/trace-context.ts'

/** What is known of a request when it is answered. */
export interface Outcome {
  /** Undefined for a request that names no operation. */
  operation?: ApiOperation | undefined
  code: ResponseCode
  /** Id of the owner; undefined before authentication. */
  owner?: string | undefined
  /** Faces found on the photos of the request; undefined without a photo. */
  faces?: number | undefined
  /** Time to the response, in milliseconds. */
  ms: number
}

/** The trace of one request. Its methods do nothing when the request is not sampled. */
interface RequestTrace {
  /** Value of `traceparent` for requests to core. Undefined without a trace. */
  traceparent: string | undefined
  stage(stage: EdgeStage, startedAt: number, ms: number): void
  end(outcome: Outcome): void
}

/** Traced requests of one isolate. No method waits. */
export function edgeTraces(now: () => number, random: () => number) {
  /** By core that exports traces, the probability with which a trace begins. */
  const exporting = new Map<string, number>()
  const waiting: TracedRequest[] = []

  /** Whether requests wait for a batch to this core. Without a core: to any core. */
  const isPending = (core?: string): boolean =>
    waiting.length > 0 && (core === undefined ? exporting.size > 0 : exporting.has(core))

  return {
    isPending,

    /** Takes TRACES_HEADER of a response of this core; null when core exports no traces. */
    learn(core: string, header: string | null): void {
      const probability = Number.parseFloat(header ?? '')
      if (probability >= 0) exporting.set(core, probability)
      else exporting.delete(core)
    },

    /** Begins the trace of a request, or continues that of its caller. */
    begin(traceparent: string | undefined): RequestTrace {
      const parent = traceContextOf(traceparent)
      const isSampled = parent ? parent.isSampled : random() < Math.max(0, ...exporting.values())
      if (exporting.size === 0 || !isSampled)
        return { traceparent: parent && traceparent, stage() {}, end() {} }
      const [trace, span, at] = [parent?.traceId ?? randomHex(16), randomHex(8), now()]
      const stages: TracedRequest['stages'] = []
      return {
        traceparent: sampledTraceparent({ traceId: trace, spanId: span }),
        stage(stage, startedAt, ms) {
          if (stages.length < RPC_LIMITS.tracedStages)
            stages.push([stage, milliseconds(startedAt - at), milliseconds(ms)])
        },
        end({ operation, code, owner, faces, ms }) {
          // Health checks and documents begin no trace.
          if ((operation === undefined && !parent) || waiting.length >= RPC_LIMITS.tracesWaiting) return
          waiting.push({
            ...{ trace, span, parent: parent?.spanId, at, ms: milliseconds(ms), stages },
            ...{ operation: operation ?? OTHER, code, owner, faces },
          })
        },
      }
    },

    /** Removes the requests that fit a batch to this core. */
    take(core: string): TracedRequest[] {
      if (!isPending(core)) return []
      let length = 0
      const rest = waiting.findIndex(request => {
        length += JSON.stringify(request).length + 1
        return length > RPC_LIMITS.tracesLength
      })
      return waiting.splice(0, rest < 0 ? waiting.length : rest)
    },
  }
}

/** Whole milliseconds of a duration. A clock that is set back gives 0. */
const milliseconds = (ms: number): number => Math.max(0, Math.round(ms))

const randomHex = (bytes: number): string => hex(crypto.getRandomValues(new Uint8Array(bytes)))

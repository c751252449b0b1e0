/** Counts of edges for core: labels, and the batch that a request carries. */
import * as z from 'zod'
import { ERRORS, type ErrorCode, ServiceError } from './errors.ts'
import { RPC_LIMITS } from './limits/rpc.ts'
import { type ApiOperation, DECLARATIONS } from './operations/table.ts'
import { Natural, Positive } from './scalars.ts'

/** Header of a request with a batch, as JSON; covered by the signature. Header of the response with the number of the batch. */
export const METRICS_HEADER = 'x-mien-metrics'

/** Label for requests that name no operation: documents, pictures, health, unknown paths. */
export const OTHER = 'other'

/** Code of a response: OK, or the code of the error. */
export type ResponseCode = ErrorCode | 'OK'

/** Code of an error as a label. */
export const codeOf = (error: unknown): ErrorCode =>
  error instanceof ServiceError ? error.code : 'INTERNAL_ERROR'

/** Stages of the edge. `queue`: waits for admission and for the analysis. The others are stages of wasm/pipeline.ts. */
const EDGE_STAGES = ['queue', 'decode', 'detect', 'landmarks', 'align'] as const

export type EdgeStage = (typeof EDGE_STAGES)[number]

/** Upper bounds of the buckets of durations, in seconds. */
export const DURATION_BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30] as const

const Seconds = z.number().min(0).max(1e9)
const Count = Positive.max(RPC_LIMITS.metricsObservations)
const Gauge = Natural.max(1e6)

/** An edge of a newer version may send names that this core does not know. They are counted as `other`. */
const OperationLabel = z.enum([...(Object.keys(DECLARATIONS) as ApiOperation[]), OTHER]).catch(OTHER)
const CodeLabel = z.enum(['OK', ...(Object.keys(ERRORS) as ErrorCode[]), OTHER]).catch(OTHER)

const observationsIn = (samples: readonly (readonly [...string[], number, number])[]) =>
  samples.reduce((sum, sample) => sum + (sample.at(-2) as number), 0)

/**
 * Increments of one edge process since its previous batch. An element of `requests` or `stages` has its labels, the number of its
 * observations, and the sum of their seconds. The observations of an element fall into one bucket.
 */
export const MetricsBatchSchema = z
  .strictObject({
    /** 64 random bits: the edge process. */
    edge: z.string().regex(/^[0-9a-f]{16}$/),
    /** Greater than the numbers of the process's earlier batches. */
    number: Positive,
    requests: z.array(z.tuple([OperationLabel, CodeLabel, Count, Seconds])).max(RPC_LIMITS.metricsSamples),
    stages: z.array(z.tuple([z.enum(EDGE_STAGES), Count, Seconds])).max(RPC_LIMITS.metricsSamples),
    /** Not read. An edge of 0.2.0 may still send traces that a core of 0.2.0 asked for. */
    traces: z.unknown().optional(),
    /** Requests that were refused because the isolate had no room. */
    overloads: Natural,
    /** Requests in progress, and requests that wait for admission, when the batch was made. */
    active: Gauge,
    waiting: Gauge,
  })
  .refine(
    ({ requests, stages }) => observationsIn([...requests, ...stages]) <= RPC_LIMITS.metricsObservations,
  )

export type MetricsBatch = z.infer<typeof MetricsBatchSchema>

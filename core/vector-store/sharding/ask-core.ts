/** Requests to the store of another core: in time, in bounds, and with what it refuses in our own words. */
import type * as z from 'zod'
import { LIMITS } from '../../contract/limits.ts'
import { StoreRefusalSchema } from '../../contract/store-interface.ts'
import { inTime } from '../deadline.ts'
import { StoreUnavailable, VectorRefused } from '../vector-store.ts'

/** An answer with status 200. */
export interface CoreAnswer {
  headers: Headers
  bytes: Uint8Array
}

/**
 * Asks; undefined when what was asked for is not there. Rejects with VectorRefused, and with StoreUnavailable for whatever is
 * not the answer of a core at work.
 */
export type AskCore = (
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  vector?: Float32Array,
) => Promise<CoreAnswer | undefined>

/** Asks the core at this origin, as its operator where there is a token. */
export function askingCore(origin: string, token: string | undefined): AskCore {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
  return async (method, path, vector) => {
    const {
      status,
      headers: answered,
      bytes,
    } = await inTime(LIMITS.shardAnswerMs, async signal => {
      const body = vector && new Float32Array(vector).buffer
      const init = { method, headers, redirect: 'error', signal, ...(body && { body }) } as const
      const response = await fetch(origin + path, init)
      return { status: response.status, headers: response.headers, bytes: await bounded(response) }
    }).catch(away)
    if (status === 200) return { headers: answered, bytes }
    const refusal = StoreRefusalSchema.safeParse(jsonOf(bytes))
    const said = `${status} ${refusal.data?.code}`
    if (said === '404 NOT_FOUND') return undefined
    throw REFUSALS[said]?.() ?? new StoreUnavailable('away')
  }
}

const REFUSALS: Record<string, () => Error> = {
  '409 FACE_EXISTS': () => new VectorRefused('duplicate'),
  '400 WRONG_DIMENSION': () => new VectorRefused('dimension'),
  '400 BAD_VECTOR': () => new VectorRefused('malformed'),
  '503 STORE_FULL': () => new StoreUnavailable('full'),
}

/** The answer's JSON, which must be of this shape. Throws StoreUnavailable: anything else comes from no core of ours. */
export function parsed<Schema extends z.ZodType>(schema: Schema, { bytes }: CoreAnswer): z.output<Schema> {
  const { data, success } = schema.safeParse(jsonOf(bytes))
  if (!success) throw new StoreUnavailable('away')
  return data as z.output<Schema>
}

/** Throws StoreUnavailable when the body is not empty: what has nothing to say, says nothing. */
export function silent({ bytes }: CoreAnswer): void {
  if (bytes.length > 0) throw new StoreUnavailable('away')
}

async function bounded(response: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body ?? []) {
    length += chunk.length
    if (length > LIMITS.shardAnswerBytes) throw new StoreUnavailable('away')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return undefined
  }
}

function away(error: unknown): never {
  throw error instanceof StoreUnavailable ? error : new StoreUnavailable('away', { cause: error })
}

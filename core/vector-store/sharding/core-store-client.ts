/** Requests to the store of another core: enforces a deadline and a size limit, and maps refusals to store errors. */
import type * as z from 'zod'
import { LIMITS } from '../../../contract/limits.ts'
import { StoreRefusalSchema } from '../../../contract/store-interface.ts'
import { withDeadline } from '../deadline.ts'
import { StoreUnavailable, VectorRefused } from '../vector-store.ts'

/** Response with status 200. */
export interface CoreAnswer {
  headers: Headers
  bytes: Uint8Array
}

/**
 * Sends a request. Resolves with undefined when the core responds with 404 NOT_FOUND. Rejects with VectorRefused or
 * StoreUnavailable (`full`) when the core refuses, and with StoreUnavailable (`away`) without a valid response.
 */
export type SendToCore = (
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  vector?: Float32Array,
) => Promise<CoreAnswer | undefined>

/** Client of the core at this origin. Sends the operator token if there is one. */
export function coreStoreClient(origin: string, token: string | undefined): SendToCore {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
  return async (method, path, vector) => {
    const {
      status,
      headers: responseHeaders,
      bytes,
    } = await withDeadline(LIMITS.shardAnswerMs, async signal => {
      const body = vector && new Float32Array(vector).buffer
      const init = { method, headers, redirect: 'error', signal, ...(body && { body }) } as const
      const response = await fetch(origin + path, init)
      return { status: response.status, headers: response.headers, bytes: await readBounded(response) }
    }).catch(throwUnavailable)
    if (status === 200) return { headers: responseHeaders, bytes }
    const refusal = StoreRefusalSchema.safeParse(jsonOf(bytes))
    const statusAndCode = `${status} ${refusal.data?.code}`
    if (statusAndCode === '404 NOT_FOUND') return undefined
    throw REFUSALS[statusAndCode]?.() ?? new StoreUnavailable('away')
  }
}

const REFUSALS: Record<string, () => Error> = {
  '409 FACE_EXISTS': () => new VectorRefused('duplicate'),
  '400 WRONG_DIMENSION': () => new VectorRefused('dimension'),
  '400 BAD_VECTOR': () => new VectorRefused('malformed'),
  '503 STORE_FULL': () => new StoreUnavailable('full'),
}

/** Parses the JSON of a response. Throws StoreUnavailable when it does not match the schema: the server is not a core. */
export function parsed<Schema extends z.ZodType>(schema: Schema, { bytes }: CoreAnswer): z.output<Schema> {
  const { data, success } = schema.safeParse(jsonOf(bytes))
  if (!success) throw new StoreUnavailable('away')
  return data as z.output<Schema>
}

/** Throws StoreUnavailable when the response body is not empty. */
export function silent({ bytes }: CoreAnswer): void {
  if (bytes.length > 0) throw new StoreUnavailable('away')
}

async function readBounded(response: Response): Promise<Uint8Array> {
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

function throwUnavailable(error: unknown): never {
  throw error instanceof StoreUnavailable ? error : new StoreUnavailable('away', { cause: error })
}

/** Messages between the thread of a shard and its client. */
import { RowsDamaged } from '../rows/row-schema.ts'
import { LayoutRefused, StoreUnavailable, VectorRefused } from '../vector-store.ts'
import type { Shard } from './shard.ts'
import type { ShardSettings } from './shard-settings.ts'

/** Operations of the thread: methods of the shard, with their arguments and results. */
export type Verb =
  | 'add'
  | 'remove'
  | 'get'
  | 'search'
  | 'list'
  | 'ids'
  | 'galleries'
  | 'gallery'
  | 'startIndex'
  | 'indexState'
  | 'states'

export type Arguments<Asked extends Verb> = Parameters<Shard[Asked]>
export type Result<Asked extends Verb> = Awaited<ReturnType<Shard[Asked]>>

export interface ThreadSetup extends Omit<ShardSettings, 'onDamage'> {
  folder: string
}

/** A request. Numbered, because responses arrive in any order. */
export interface ShardRequest {
  number: number
  verb: Verb | 'close'
  arguments: readonly unknown[]
}

/** An error in a form that can be sent to another thread. */
interface Failure {
  name: string
  message: string
  why?: unknown
  code?: unknown
  path?: unknown
}

export type ShardResponse =
  | { opened: true }
  | { unopened: Failure }
  | { damage: string; vectors?: number }
  | { number: number; result: unknown }
  | { number: number; failure: Failure }

/** Converts an error for sending. */
export function failureOf(error: unknown): Failure {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) }
  const { name, message } = error
  return {
    name,
    message,
    why: 'why' in error ? error.why : undefined,
    code: 'code' in error ? error.code : undefined,
    path: 'path' in error ? error.path : undefined,
  }
}

/** Restores an error. Errors of unknown classes become an Error with the same name, message and code. */
export function errorOf({ name, message, why, code, path }: Failure): Error {
  if (name === 'VectorRefused') return new VectorRefused(why as VectorRefused['why'])
  if (name === 'StoreUnavailable') return new StoreUnavailable(why as StoreUnavailable['why'])
  if (name === 'LayoutRefused') return new LayoutRefused(message)
  if (name === 'RowsDamaged') return new RowsDamaged(String(path))
  return Object.assign(new Error(message), { name, ...(code !== undefined && { code }) })
}

/** Buffers of the vectors in a request or response. They are transferred, not copied. */
export function buffersOf(value: unknown): ArrayBuffer[] {
  if (ArrayBuffer.isView(value)) return [value.buffer as ArrayBuffer]
  if (Array.isArray(value)) return value.flatMap(buffersOf)
  if (typeof value !== 'object' || value === null) return []
  if ('vector' in value) return buffersOf(value.vector)
  return 'vectors' in value ? buffersOf(value.vectors) : []
}

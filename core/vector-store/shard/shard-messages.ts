/** What is said between a shard's thread and those who ask it. */
import { RowsDamaged } from '../rows/row-schema.ts'
import { StoreUnavailable, VectorRefused } from '../vector-store.ts'
import type { Shard } from './shard.ts'
import type { ShardSettings } from './shard-settings.ts'

/** What the thread can be asked: methods of the shard, with their own arguments and results. */
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

export type Arguments<Asked extends Verb> = Parameters<Shard[Asked]>
export type Result<Asked extends Verb> = Awaited<ReturnType<Shard[Asked]>>

export interface ThreadSetup extends Omit<ShardSettings, 'onDamage'> {
  folder: string
}

/** Numbered, as answers come in any order. */
export interface Question {
  number: number
  verb: Verb | 'close'
  arguments: readonly unknown[]
}

/** An error that crosses to another thread, which knows the same classes. */
export interface Failure {
  name: string
  message: string
  why?: unknown
  code?: unknown
  path?: unknown
}

export type Answer =
  | { opened: true }
  | { unopened: Failure }
  | { damage: string; vectors?: number | undefined }
  | { number: number; result: unknown }
  | { number: number; failure: Failure }

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

export function errorOf({ name, message, why, code, path }: Failure): Error {
  if (name === 'VectorRefused') return new VectorRefused(why as VectorRefused['why'])
  if (name === 'StoreUnavailable') return new StoreUnavailable(why as StoreUnavailable['why'])
  if (name === 'RowsDamaged') return new RowsDamaged(String(path))
  return Object.assign(new Error(message), { name, ...(code !== undefined && { code }) })
}

/** The buffers of the vectors in a question or an answer: they are handed over, and not copied. */
export function buffersOf(value: unknown): ArrayBuffer[] {
  if (ArrayBuffer.isView(value)) return [value.buffer as ArrayBuffer]
  if (Array.isArray(value)) return value.flatMap(buffersOf)
  if (typeof value !== 'object' || value === null) return []
  if ('vector' in value) return buffersOf(value.vector)
  return 'vectors' in value ? buffersOf(value.vectors) : []
}

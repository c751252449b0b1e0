/** Reads and validates parameters of the store interface: paths, queries and bodies. Throws BAD_PARAM and BAD_VECTOR. */
import type { Context } from 'hono'
import { badParam, ServiceError } from '../../../contract/errors.ts'
import { STORE_LIMITS } from '../../../contract/limits/store.ts'
import { boolean, withDefault } from '../../../contract/parameters/fields.ts'
import { STORE_GALLERY } from '../../../contract/store-interface.ts'
import { untilEnd } from '../caller-connected.ts'

/** Gallery name in the path. */
export function galleryName({ req }: Context): string {
  const name = req.param('name') ?? ''
  if (STORE_GALLERY.test(name)) return name
  throw badParam('name', name, 'A gallery has 1 to 128 characters of a-z, A-Z, 0-9, _ and -.')
}

/** Face id in the path. */
export const faceId = (context: Context, param = 'id'): number => wholeNumber(context, param, 0)

/** Whole number in the path, from `least` to `most`. */
export function wholeNumber(
  { req }: Context,
  param: string,
  least: number,
  most = Number.MAX_SAFE_INTEGER,
): number {
  const text = req.param(param) ?? ''
  const number = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
  if (number >= least && number <= most) return number
  throw badParam(param, text, `This must be a whole number from ${least} to ${most}.`)
}

/** Confidence in the path, 0..1. */
export function confidenceParameter({ req }: Context, param: string): number {
  const text = req.param(param) ?? ''
  const number = /^(\d+\.?\d*|\.\d+)(e-?\d{1,3})?$/i.test(text) ? Number(text) : Number.NaN
  if (number >= 0 && number <= 1) return number
  throw badParam(param, text, 'This must be a number from 0 to 1.')
}

const flagField = withDefault(boolean, false)

/** Boolean in the query. Default: false. */
export function flag({ req }: Context, param: string): boolean {
  const text = req.query(param)
  const { data } = flagField.safeParse(text)
  if (data === undefined) throw badParam(param, text, 'This must be true or false.')
  return data
}

const FLOAT_BYTES = 4
const MOST_BYTES = FLOAT_BYTES * STORE_LIMITS.vectorLength

/** The body as little-endian float32. A body that is too long is rejected before the rest is read. */
export async function vectorBody({ req }: Context): Promise<Float32Array> {
  if (!/^(identity)?$/i.test(req.header('content-encoding') ?? ''))
    throw new ServiceError('UNSUPPORTED_MEDIA_TYPE')
  const announced = req.header('content-length')
  if (Number(announced ?? 0) > MOST_BYTES) throw tooLong()
  const bytes = await untilEnd(announced === undefined ? boundedBytes(req.raw.body) : req.arrayBuffer())
  if (bytes.byteLength % FLOAT_BYTES !== 0) throw new ServiceError('BAD_VECTOR')
  return new Float32Array(bytes)
}

async function boundedBytes(body: ReadableStream<Uint8Array> | null): Promise<ArrayBuffer> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body ?? []) {
    length += chunk.length
    if (length > MOST_BYTES) throw tooLong()
    chunks.push(chunk)
  }
  return Uint8Array.from(Buffer.concat(chunks)).buffer
}

const tooLong = () =>
  new ServiceError('BAD_VECTOR', { reason: `A vector has at most ${STORE_LIMITS.vectorLength} numbers.` })

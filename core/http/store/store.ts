/** Routes of the store interface for operators: add, get, delete, search, list and index vectors. Lists of any length have backpressure. */
import { type Context, Hono } from 'hono'
import { byteStream } from '../../../contract/byte-stream.ts'
import { ServiceError } from '../../../contract/errors.ts'
import { FACE_LIMITS } from '../../../contract/limits/faces.ts'
import { STORE_LIMITS } from '../../../contract/limits/store.ts'
import {
  type FoundFace,
  LIVE_HEADER,
  SEARCH_HEADER,
  WITH_INDEX,
  WITHOUT_INDEX,
} from '../../../contract/store-interface.ts'
import { closestVectors } from '../../operations/search/closest/closest-vectors.ts'
import type { Services } from '../../operations/services.ts'
import {
  type ListedVector,
  type Shards,
  StoreUnavailable,
  type VectorKey,
  type VectorPage,
  type VectorStore,
} from '../../vector-store/vector-store.ts'
import { requireCaller } from '../caller-connected.ts'
import { StreamInterrupted } from '../rpc/json-lines.ts'
import { knownGallery } from './statistics.ts'
import {
  confidenceParameter,
  faceId,
  flag,
  galleryName,
  vectorBody,
  wholeNumber,
} from './store-parameters.ts'

/** Dependencies of the store routes. */
interface StoreRoutesOptions {
  services: Pick<Services, 'vectors' | 'scale' | 'diskSpace'>
  /** Receives the error that interrupted a list after its first page. */
  brokeOff(error: unknown): void
}

/** Handlers throw VectorRefused and StoreUnavailable. See http/refusals.ts for their status codes. */
export function storeRoutes({ services, brokeOff }: StoreRoutesOptions): Hono {
  const { vectors, diskSpace } = services
  return new Hono()
    .post('/v1/:name/add/:id', async context => {
      const key = keyOf(context)
      const vector = await vectorBody(context)
      await requireCaller(context)
      await diskSpace.adding(() => vectors.add([{ ...key, vector }]))
      return context.body(null)
    })
    .get('/v1/:name/get/:id', async context => {
      const key = keyOf(context)
      const vector = await vectors.get(key)
      if (!vector) throw unknownFace(key)
      return context.json({ facen: facenOf(vector), id: key.id })
    })
    .delete('/v1/:name/del/:id', async context => {
      const key = keyOf(context)
      await requireCaller(context)
      const removed = await diskSpace.deleting(() => vectors.remove([key]))
      if (removed.length === 0) throw unknownFace(key)
      return context.body(null)
    })
    .post('/v1/:name/search/:limit/:threshold', context => search(services, context))
    .get('/v1/:name/list/:start_id/:count', async context => {
      const gallery = galleryName(context)
      const from = faceId(context, 'start_id')
      const count = wholeNumber(context, 'count', 1)
      const first = await vectors.list(gallery, from, pageOf(count))
      if (first.vectors.length === 0) await knownGallery(vectors, gallery)
      return listedFaces(vectors, { gallery, count }, first, brokeOff)
    })
    .post('/v1/:name/index', async context => {
      const { gallery } = await knownGallery(vectors, galleryName(context))
      return context.json(await diskSpace.adding(() => vectors.startIndex(gallery)))
    })
    .get('/v1/:name/index', async context => {
      const { gallery } = await knownGallery(vectors, galleryName(context))
      return context.json(await vectors.indexState(gallery))
    })
}

const keyOf = (context: Context): VectorKey => ({ gallery: galleryName(context), id: faceId(context) })

const unknownFace = ({ gallery, id }: VectorKey) =>
  new ServiceError('NOT_FOUND', { reason: `There is no face ${id} in a gallery "${gallery}".` })

/** Returns the closest faces. A header counts live shards. Throws StoreUnavailable when no shard is live. */
async function search(services: Pick<Services, 'vectors' | 'scale'>, context: Context): Promise<Response> {
  const gallery = galleryName(context)
  const limit = wholeNumber(context, 'limit', 1, STORE_LIMITS.storeMatches)
  const threshold = confidenceParameter(context, 'threshold')
  const linearOnly = flag(context, 'linear_search')
  const probe = await vectorBody(context)
  const { found, ...shards } = await closestVectors(
    services,
    { gallery, limit, threshold, linearOnly },
    probe,
  )
  const faces = found.map(({ id, confidence }): FoundFace => ({ conf: confidence, id }))
  return foundAnswer(services, context, { ...shards, faces })
}

interface FoundAnswer extends Shards {
  faces: readonly FoundFace[]
  withIndex: boolean
}

async function foundAnswer(
  { vectors }: Pick<Services, 'vectors'>,
  context: Context,
  { faces, live, total, withIndex }: FoundAnswer,
): Promise<Response> {
  if (live === 0) throw new StoreUnavailable('away')
  if (faces.length === 0 && live === total) await knownGallery(vectors, galleryName(context))
  return context.json(faces, 200, {
    [SEARCH_HEADER]: withIndex ? WITH_INDEX : WITHOUT_INDEX,
    [LIVE_HEADER]: `${live}/${total}`,
  })
}

/** Little-endian float32 in Base64, bit for bit as added. */
const facenOf = ({ buffer, byteOffset, byteLength }: Float32Array) =>
  Buffer.from(buffer, byteOffset, byteLength).toString('base64')

/** A requested list. */
interface Listing {
  gallery: string
  /** Maximum number of faces. */
  count: number
}

/** `first` is the first page of the list. An error on a later page is passed to `failed` and interrupts the body. */
function listedFaces(
  vectors: VectorStore,
  listing: Listing,
  first: VectorPage,
  failed: (error: unknown) => void,
): Response {
  return new Response(byteStream(jsonChunks(vectors, listing, first, failed)), {
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  })
}

/** Size of the next page when `count` vectors are left. */
const pageOf = (count: number) => Math.min(count, FACE_LIMITS.streamChunk)

async function* jsonChunks(
  vectors: VectorStore,
  { gallery, count }: Listing,
  first: VectorPage,
  failed: (error: unknown) => void,
): AsyncGenerator<string, void> {
  yield '{"faces":['
  let page = first
  for (let listed = 0; ; ) {
    const text = page.vectors.map(faceText).join(',')
    yield listed > 0 && text !== '' ? `,${text}` : text
    listed += page.vectors.length
    if (listed >= count || page.next === undefined) break
    page = await vectors.list(gallery, page.next, pageOf(count - listed)).catch(error => {
      failed(error)
      throw new StreamInterrupted()
    })
  }
  yield `],"next":${page.next ?? null}}`
}

const faceText = ({ id, space, vector }: ListedVector) =>
  JSON.stringify({ id, space, facen: facenOf(vector) })

/** Streams a list of stored faces of any length as a response body, with backpressure. */
import { FACE_LIMITS } from '../../../contract/limits/faces.ts'
import type { ListedVector, VectorPage, VectorStore } from '../../vector-store/vector-store.ts'
import { facenOf } from '../store/facen.ts'
import { StreamInterrupted } from './json-lines.ts'

/** A requested list. */
export interface Listing {
  gallery: string
  /** Maximum number of faces. */
  count: number
}

/** `first` is the first page of the list. An error on a later page is passed to `failed` and interrupts the body. */
export function listedFaces(
  vectors: VectorStore,
  listing: Listing,
  first: VectorPage,
  failed: (error: unknown) => void,
): Response {
  const text = jsonChunks(vectors, listing, first, failed)
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await text.next()
        if (done) controller.close()
        else controller.enqueue(encoder.encode(value))
      },
      async cancel() {
        await text.return()
      },
    },
    { highWaterMark: 0 },
  )
  return new Response(body, { headers: { 'content-type': 'application/json', 'cache-control': 'no-store' } })
}

/** Size of the next page when `count` vectors are left. */
export const pageOf = (count: number): number => Math.min(count, FACE_LIMITS.streamChunk)

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

const faceText = ({ id, space, vector }: ListedVector): string =>
  JSON.stringify({ id, space, facen: facenOf(vector) })

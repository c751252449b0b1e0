/** Stored faces in responses of the store interface: the text form of a vector, and lists of any length with backpressure. */
import { FACE_LIMITS } from '../../../contract/limits/faces.ts'
import type { ListedVector, VectorPage, VectorStore } from '../../vector-store/vector-store.ts'
import { StreamInterrupted } from '../rpc/json-lines.ts'

/** Little-endian float32 in Base64, bit for bit as added. */
export const facenOf = ({ buffer, byteOffset, byteLength }: Float32Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('base64')

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

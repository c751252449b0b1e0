/** A list of stored faces as the body of an answer, of any length, made when the one who asked has room for it. */
import { LIMITS } from '../../contract/limits.ts'
import type { ListedVector, VectorPage, VectorStore } from '../../vector-store/vector-store.ts'
import { facenOf } from '../store/facen.ts'
import { StreamInterrupted } from './json-lines.ts'

export interface Listing {
  gallery: string
  /** Faces at most. */
  count: number
}

/** `first` is the first page of what is listed. A failure behind it is given to `failed`, and breaks the body off. */
export function listedFaces(
  vectors: VectorStore,
  listing: Listing,
  first: VectorPage,
  failed: (error: unknown) => void,
): Response {
  const text = texts(vectors, listing, first, failed)
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

/** The vectors that one page may have when so many are still to come. */
export const pageOf = (count: number): number => Math.min(count, LIMITS.streamChunk)

async function* texts(
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

/** Reads ranges of a gallery, and compares vectors: what imports and moves of vectors need. */
import type { VectorStore } from './vector-store.ts'

/** Vectors per page. */
const VECTORS_PER_PAGE = 500

/** Vectors of a gallery with ids from `first` on, below `end`. */
export async function storedVectors(
  store: VectorStore,
  gallery: string,
  first: number,
  end: number,
): Promise<Map<number, Float32Array>> {
  const found = new Map<number, Float32Array>()
  for (let from: number | undefined = first; from !== undefined && from < end; ) {
    const page = await store.list(gallery, from, VECTORS_PER_PAGE)
    for (const { id, vector } of page.vectors) if (id < end) found.set(id, vector)
    from = page.next
  }
  return found
}

/** Whether two vectors are equal bit by bit. */
export const sameBits = (a: Float32Array, b: Float32Array): boolean => bytesOf(a).equals(bytesOf(b))

const bytesOf = ({ buffer, byteOffset, byteLength }: Float32Array) =>
  Buffer.from(buffer, byteOffset, byteLength)

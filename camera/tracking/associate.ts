/** Assigns the faces of a frame to tracks, by overlap of boxes and by similarity of embeddings. */
import { type Box, overlap } from '../../contract/model/bbox.ts'
import type { SeenFace } from './seen-face.ts'

/** What the association knows of a track. */
export interface Known {
  /** Where it was seen last. */
  readonly box: Box
  /** Sum of the embeddings of its faces, weighted by quality. */
  readonly sum: Float32Array
  /** Best quality of its faces, 0..1. */
  readonly quality: number
}

/**
 * Cosine of a face and the mean of a track above which they are the same person, wherever the box is: that of the threshold
 * `medium`. Embeddings of faces below the quality CLEAR say little.
 */
const SAME = 0.38
const CLEAR = 0.1

/** Least overlap (intersection over union), with the least cosine, of a face that only moved or turned. */
const NEAR = 0.3
const LIKE = 0.1

/**
 * The index of the track of each face; undefined for a new person. A track gets one face at most. The best pairs are assigned
 * first.
 */
export function associate(tracks: readonly Known[], faces: readonly SeenFace[]): (number | undefined)[] {
  const pairs = faces.flatMap((face, f) =>
    tracks.flatMap((track, t) => {
      const shared = overlap(track.box, face.box)
      const cosine = cosineOf(track.sum, face.embedding)
      const isClear = Math.min(track.quality, face.quality) >= CLEAR
      const fits = (isClear && cosine >= SAME) || (shared >= NEAR && cosine >= LIKE)
      return fits ? [{ f, t, score: shared + cosine }] : []
    }),
  )
  const assigned: (number | undefined)[] = faces.map(() => undefined)
  const taken = new Set<number>()
  for (const { f, t } of pairs.sort((a, b) => b.score - a.score)) {
    if (assigned[f] !== undefined || taken.has(t)) continue
    assigned[f] = t
    taken.add(t)
  }
  return assigned
}

/** Cosine of a sum of unit vectors and a unit vector. */
function cosineOf(sum: Float32Array, embedding: Float32Array): number {
  let [product, squares] = [0, 0]
  for (let i = 0; i < sum.length; i++) {
    product += sum[i]! * embedding[i]!
    squares += sum[i]! * sum[i]!
  }
  return product / (Math.sqrt(squares) || 1)
}

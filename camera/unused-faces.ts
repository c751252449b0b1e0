/** Counts how often people were seen and no picture of them could be used, with the most frequent reason. */
import { height, width } from '../contract/model/bbox.ts'
import type { UnusedReason } from '../contract/model/camera.ts'
import type { SeenFace } from './tracker.ts'

/** Whether the analysis measured the face. Others are too small or too poor. */
export const isUsable = ({ embedding }: SeenFace): boolean => embedding.length > 0

/** People are away after this time without a face, in milliseconds. */
const AWAY_MS = 5_000

/** Faces below this share of the least side belong to people who pass far away. */
const FAR_SHARE = 0.5

interface UsableFaces {
  /** Least side of a face in pixels, and least quality, 0..1. */
  leastSide: number
  leastQuality: number
}

/** Times are milliseconds of a clock that never goes back. */
export function openUnusedFaces({ leastSide, leastQuality }: UsableFaces) {
  const totals = new Map<UnusedReason, number>()
  /** Faces since a person came, by reason. */
  let reasons = new Map<UnusedReason, number>()
  let wasUsed = false
  let seenAt = 0

  const settle = (time: number) => {
    if (time - seenAt <= AWAY_MS) return
    const most = mostOf(reasons)
    if (most && !wasUsed) count(totals, most)
    reasons = new Map()
    wasUsed = false
  }

  return {
    /** Takes the faces of a frame. */
    see(found: readonly SeenFace[], time: number) {
      settle(time)
      const faces = found.filter(({ box }) => Math.min(width(box), height(box)) >= FAR_SHARE * leastSide)
      if (faces.length > 0) seenAt = time
      for (const face of faces) {
        if (isUsable(face) && face.quality >= leastQuality) wasUsed = true
        else if (face.fault) count(reasons, face.fault)
      }
    },
    report(time: number): { unused: number; unused_reason?: UnusedReason } {
      settle(time)
      const most = mostOf(totals)
      const unused = [...totals.values()].reduce((sum, one) => sum + one, 0)
      return { unused, unused_reason: most }
    },
  }
}

const count = (counts: Map<UnusedReason, number>, reason: UnusedReason) =>
  counts.set(reason, (counts.get(reason) ?? 0) + 1)

const mostOf = (counts: ReadonlyMap<UnusedReason, number>): UnusedReason | undefined =>
  [...counts].sort((a, b) => b[1] - a[1])[0]?.[0]

/** The 68 landmarks of faces, for different boxes around them. */
import { beforeAll, describe, expect, it } from 'vitest'
import { openTestModels, THREE_FACES, threePeople } from '#bench/harness/vision.ts'
import type { Box } from '#contract/model/bbox.ts'
import { loadCodecs } from '#wasm/decode/codecs.node.ts'
import { decode } from '#wasm/decode/decode.ts'
import { readHeader } from '#wasm/decode/header.ts'
import type { Point } from '#wasm/imaging/geometry.ts'
import type { Photo } from '#wasm/imaging/image.ts'
import { browToChin } from '#wasm/landmarks/face-frame.ts'
import type { VisionModels } from '#wasm/pipeline.ts'

let models: VisionModels
let photo: Photo

beforeAll(async () => {
  models = await openTestModels()
  const bytes = await threePeople()
  photo = await decode(bytes, readHeader(bytes), loadCodecs(), { scale: 1, maxBytes: 2 ** 30 })
})

/** The square from brow to chin as a box. */
function squareIn(box: Box): Box {
  const { centre, side } = browToChin(box)
  const half = side / 2
  return { x1: centre.x - half, y1: centre.y - half, x2: centre.x + half, y2: centre.y + half }
}

/** The box, moved and enlarged. Units are its side. */
function altered({ x1, y1, x2, y2 }: Box, { right = 0, down = 0, larger = 1 }): Box {
  const side = x2 - x1
  const half = (side * larger) / 2
  const centre = { x: (x1 + x2) / 2 + right * side, y: (y1 + y2) / 2 + down * side }
  return { x1: centre.x - half, y1: centre.y - half, x2: centre.x + half, y2: centre.y + half }
}

/** Mean distance of the points as a share of the box's side. */
const apart = (a: readonly Point[], b: readonly Point[], { x1, x2 }: Box): number =>
  a.reduce((sum, { x, y }, i) => sum + Math.hypot(x - b[i]!.x, y - b[i]!.y), 0) / a.length / (x2 - x1)

describe('landmarks.find', () => {
  it('returns 68 points within 1.4 times the box of the detector', async () => {
    const { faces } = await models.detector.detect(photo)
    expect(faces).toHaveLength(3)
    for (const face of faces) {
      const points = await models.landmarks.find(photo, face)
      expect(points).toHaveLength(68)
      const { x1, y1, x2, y2 } = altered(face.box, { larger: 1.4 })
      expect(points.every(({ x, y }) => x > x1 && x < x2 && y > y1 && y < y2)).toBe(true)
    }
  })

  it.each([
    { larger: 1.3 },
    { larger: 1.6 },
    { right: 0.15 },
    { down: -0.15 },
    { right: -0.1, down: 0.1, larger: 1.2 },
  ])("returns nearly the same points when a caller's box is changed by %o", async change => {
    for (const box of THREE_FACES.map(squareIn)) {
      const known = await models.landmarks.find(photo, { box })
      const found = await models.landmarks.find(photo, { box: altered(box, change) })
      expect(apart(found, known, box)).toBeLessThan(0.07)
    }
  })
})

/** Searches by confidence: they equal an exhaustive comparison, with several rounds and shards. */
import { THRESHOLDS } from '#contract/model/face.ts'
import { tableScale } from '#core/calibration/scale.ts'
import { closestVectors } from '#core/operations/search/closest/closest-vectors.ts'
import { openVectorStore } from '#core/vector-store/open.ts'
import type { Layout } from '#core/vector-store/sharding/layout.ts'
import { dot, unitVector } from '#core/vector-store/unit-vector.ts'
import { people } from '#test/unit/core/calibration/synthetic.ts'
import { temporaryFolder } from '#test/unit/core/folder.ts'

/** Embeddings of different lengths, as embedders make them. */
const FACES = people(500, 3, 11).flatMap((pictures, i) =>
  pictures.map(unit => unit.map(value => value * (1 + (i % 5)))),
)
const PROBES = [...people(3, 1, 12).flat(), FACES[0]!]
const GALLERY = 'faces'

const SCALE = tableScale([
  [-1, 0],
  [0.2, THRESHOLDS.low],
  [0.9, THRESHOLDS.medium],
  [0.99, 1],
])

/** Compares all faces: at most `limit` candidates at or above the threshold. */
function bruteForce(probe: Float32Array, threshold: number, limit: number) {
  const unit = unitVector(probe)
  return FACES.map((face, id) => {
    const score = Math.max(-1, Math.min(1, dot(unit, unitVector(face), 0)))
    return { id, score, confidence: SCALE.confidence(score) }
  })
    .filter(found => found.confidence >= threshold)
    .sort((a, b) => b.score - a.score || a.id - b.id)
    .slice(0, limit)
}

/** A store with all faces. */
async function openFilled(layout: Layout) {
  const store = await openVectorStore(await temporaryFolder(), { shards: layout })
  onTestFinished(() => store.close())
  await store.add(FACES.map((vector, id) => ({ gallery: GALLERY, id, vector })))
  return store
}

const TWO: Layout = [
  { address: 'local', cells: '0-511' },
  { address: 'local', cells: '512-1023' },
]

const QUESTIONS = [0, THRESHOLDS.low, 1].flatMap(threshold =>
  [1, 300, 2_000].map(limit => ({ threshold, limit })),
)

it('closestVectors finds in two shards exactly what an exhaustive comparison finds', async () => {
  const vectors = await openFilled(TWO)
  for (const probe of PROBES) {
    for (const { threshold, limit } of QUESTIONS) {
      const search = { gallery: GALLERY, threshold, limit }
      const { found } = await closestVectors({ vectors, scale: SCALE }, search, probe)
      expect(found).toEqual(bruteForce(probe, threshold, limit))
    }
  }
})

/** A calibrated site: all comparisons share one confidence, and searches equal an exhaustive comparison. */
import { describe, expect, it, onTestFinished } from 'vitest'
import { enrolment, faceOf, OWNER } from '#bench/harness/sample-faces.ts'
import { THRESHOLDS } from '#contract/model/face.ts'
import { cohortOf } from '#core/calibration/cohort.ts'
import { packScale, type Scale } from '#core/calibration/scale.ts'
import { siteScale } from '#core/calibration/site-file.ts'
import { enrol } from '#core/operations/enrol.ts'
import { compare, identify } from '#core/operations/recognition.ts'
import { closestVectors } from '#core/operations/search/closest-vectors.ts'
import { openVectorStore } from '#core/vector-store/open.ts'
import type { Layout } from '#core/vector-store/sharding/layout.ts'
import { dot, unitVector } from '#core/vector-store/unit-vector.ts'
import type { VectorStore } from '#core/vector-store/vector-store.ts'
import { STANDARD } from '#models/manifest.ts'
import { people } from '#test/unit/core/calibration/synthetic.ts'
import { temporaryFolder } from '#test/unit/core/folder.ts'
import { serveStore } from '#test/unit/core/http/served.ts'
import { enrolOne, openWorld, withPersons } from './world.ts'

/** Embeddings of different lengths, as embedders make them. */
const FACES = people(500, 3, 11).flatMap((pictures, i) =>
  pictures.map(unit => unit.map(value => value * (1 + (i % 5)))),
)
const PROBES = [...people(3, 1, 12).flat(), FACES[0]!]
const GALLERY = 'faces'

const pack = packScale(STANDARD.embedder.calibration.default)
const SITE: Scale = siteScale(
  {
    cohort: cohortOf(people(300, 1, 13).flat()),
    table: [
      [-15, 0],
      [0.7, THRESHOLDS.low],
      [2.6, THRESHOLDS.medium],
      [4, THRESHOLDS.strict],
      [5.4, 1],
    ],
  },
  pack,
)

/** Compares all faces: at most `limit` candidates at or above the threshold. */
function bruteForce(probe: Float32Array, threshold: number, limit: number, scale = SITE) {
  const { score, confidence } = scale.with(probe)
  const unit = unitVector(probe)
  return FACES.map((face, id) => {
    const cosine = Math.max(-1, Math.min(1, dot(unit, unitVector(face), 0)))
    const own = score(cosine, face)
    return { id, score: own, confidence: confidence(own) }
  })
    .filter(found => found.confidence >= threshold)
    .sort((a, b) => b.score - a.score || a.id - b.id)
    .slice(0, limit)
}

/** A store with all faces. */
async function openFilled(layout: Layout): Promise<VectorStore> {
  const store = await openVectorStore(await temporaryFolder(), { shards: layout })
  onTestFinished(() => store.close())
  await store.add(FACES.map((vector, id) => ({ gallery: GALLERY, id, vector })))
  return store
}

const ONE: Layout = [{ address: 'local', cells: '0-1023' }]

const TWO: Layout = [
  { address: 'local', cells: '0-511' },
  { address: 'local', cells: '512-1023' },
]

const QUESTIONS = [0, THRESHOLDS.low, 1].flatMap(threshold =>
  [1, 300, 2_000].map(limit => ({ threshold, limit })),
)

describe('closestVectors with a site calibration', { tags: 'long' }, () => {
  it('finds in two shards exactly what an exhaustive comparison finds', async () => {
    const vectors = await openFilled(TWO)
    for (const probe of PROBES) {
      for (const { threshold, limit } of QUESTIONS) {
        const search = { gallery: GALLERY, threshold, limit }
        const { found } = await closestVectors({ vectors, scale: SITE }, search, probe)
        expect(found).toEqual(bruteForce(probe, threshold, limit))
      }
    }
  })

  it('finds only correct candidates with an index', async () => {
    const vectors = await openFilled(ONE)
    await vectors.startIndex(GALLERY)
    await expect
      .poll(async () => (await vectors.indexState(GALLERY)).state, { timeout: 20_000 })
      .toBe('ready')
    for (const probe of PROBES) {
      const all = bruteForce(probe, 0, FACES.length)
      const search = { gallery: GALLERY, threshold: 0, limit: 10 }
      const { found } = await closestVectors({ vectors, scale: SITE }, search, probe)
      expect(all).toEqual(expect.arrayContaining(found))
      expect(found[0]!.score).toBeCloseTo(all[0]!.score, 0)
    }
  })
})

describe('the confidence at a calibrated site', () => {
  /** Stores of a calibrated site whose embeddings are those of FACES, by the first bytes of a chip. */
  async function calibratedWorld() {
    const world = await openWorld()
    const embed = async (chips: readonly Uint8Array[]) => chips.map(chip => FACES[chip[0]! * 3 + chip[1]!]!)
    return { ...world, embed, scale: SITE }
  }
  /** A picture of one of the first people. */
  const pictured = (person: number, picture: number) => faceOf(person, picture, 0)

  it('is the same for verify, identify and the store interface', async () => {
    const world = await calibratedWorld()
    for (const picture of [0, 1]) await enrolOne(world, pictured(2, picture))
    const chip = pictured(2, 2).chip.data
    const request = { owner: OWNER, gallery: 'default', threshold: 0, limit: 10 }
    const { matches } = await identify(world, request, [chip])
    const identified = matches[0]!.map(match => match.confidence)
    const enrolled = [0, 1].map(picture => pictured(2, picture).chip.data)
    const { confidences } = await compare(world, [chip], enrolled)
    const turned = await compare(world, enrolled, [chip])
    expect(identified).toEqual(confidences[0]!.toSorted((a, b) => b - a))
    expect(turned.confidences.flat()).toEqual(confidences[0])

    const core = await serveStore(world.vectors, undefined, SITE)
    onTestFinished(() => core.close())
    const [probe] = await world.embed([chip])
    const answer = await fetch(`${core.origin}/v1/${OWNER}_default/search/10/0`, {
      method: 'POST',
      body: new Float32Array(probe!).buffer,
    })
    const found = (await answer.json()) as { conf: number }[]
    expect(found.map(({ conf }) => conf)).toEqual(identified)
  })

  it('determines the assignment of persons', async () => {
    const { confidence, score } = SITE.with(FACES[6]!)
    const between = confidence(score(dot(unitVector(FACES[6]!), unitVector(FACES[7]!), 0), FACES[7]!))
    const personsAt = async (threshold: number) => {
      const world = await calibratedWorld()
      const services = withPersons(world, { person_identify_threshold: threshold })
      const photos = [0, 1].map(i => enrolment(1, { photoHash: `photo ${i}` }))
      const { faces } = await enrol(services, photos[0]!, [pictured(2, 0)])
      faces.push(...(await enrol(services, photos[1]!, [pictured(2, 1)])).faces)
      return faces.map(face => face.person_id)
    }
    const [apart, together] = [await personsAt(between + 1e-4), await personsAt(between)]
    expect(new Set(apart).size).toBe(2)
    expect(new Set(together).size).toBe(1)
  })

  it('is that of the pack for embeddings of another length than the cohort', () => {
    const probe = Float32Array.of(1, 0, 0)
    const other = SITE.with(probe)
    expect(other.needsVectors).toBe(false)
    expect(other.confidence(other.score(0.95))).toBe(pack.with(probe).confidence(0.95))
  })
})

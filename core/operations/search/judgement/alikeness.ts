/** Measures how alike the people of a gallery are: it compares a sample of them with each other. */
import { environment } from '../../../../contract/environment.ts'
import { FACE_LIMITS } from '../../../../contract/limits/faces.ts'
import type { SearchTarget } from '../../../../contract/model/face.ts'
import { labelOf } from '../../../metadata/faces/faces.ts'
import { type CheckedFace, nextChecked } from '../../../metadata/galleries/gallery-check.ts'
import type { FaceScope } from '../../../metadata/persons/template-faces.ts'
import { dot } from '../../../vector-store/unit-vector.ts'
import type { Services } from '../../services.ts'
import { storedEvidence, unitVectors } from '../closest/person-templates.ts'
import type { Alikeness } from './threshold.ts'

type MeasuredServices = Pick<Services, 'database' | 'vectors' | 'scale'>

/** Rows of the metadata that are read between two turns of the event loop. */
const ROWS_PER_TURN = 1_000

/** Newest faces of a person that a search for faces is compared with here. */
const FACES_PER_PERSON = 3

/** A person of the sample: one face as a probe, and the evidence that a search compares probes with. */
interface Sampled {
  probe: Float32Array
  references: readonly Float32Array[]
}

/**
 * Compares at most FACE_LIMITS.judgedPeople people of a gallery with each other, as a search for faces or for persons does. Pairs
 * that score `strict` or more are left out: most are one person under two names. `isStopping` ends it early. The result is then
 * useless. Rejects with StoreUnavailable.
 */
export async function measureAlikeness(
  services: MeasuredServices,
  scope: FaceScope,
  target: SearchTarget,
  isStopping: () => boolean = () => false,
): Promise<Alikeness> {
  const { people, faces } = await sampleOf(services, scope, target, isStopping)
  const sampled = await (target === 'persons' ? withEvidence : withFaces)(services, scope, faces)
  const scores = []
  for (const [i, { probe }] of sampled.entries()) {
    for (const [j, { references }] of sampled.entries()) {
      if (i === j) continue
      let score = -1
      for (const reference of references) score = Math.max(score, dot(probe, reference, 0))
      if (score < services.scale.strangers.strict) scores.push(score)
    }
    if (i % PROBES_PER_TURN === 0) await environment.turn()
  }
  return { people: people.size, ...distributionOf(scores) }
}

/** Probes that are compared between two turns of the event loop. */
const PROBES_PER_TURN = 10

/** Each pair is in the scores twice. */
function distributionOf(scores: readonly number[]): Omit<Alikeness, 'people'> {
  const count = scores.length
  if (count === 0) return { pairs: 0, mean: 0, deviation: 0, hundredth: 0, thousandth: 0 }
  const mean = scores.reduce((sum, score) => sum + score, 0) / count
  const deviation = Math.sqrt(scores.reduce((sum, score) => sum + (score - mean) ** 2, 0) / count)
  const sorted = Float64Array.from(scores).sort()
  const deviationsAt = (rate: number) => (sorted.at(-Math.ceil(rate * count))! - mean) / (deviation || 1)
  return { pairs: count / 2, mean, deviation, hundredth: deviationsAt(1e-2), thousandth: deviationsAt(1e-3) }
}

/** The people of a gallery, and the newest faces of a sample of them. The sample changes little when people come and go. */
class Sample {
  readonly people = new Set<number>()
  #faces = new Map<number, CheckedFace[]>()
  /** Greatest place of the sample. */
  #last = Number.POSITIVE_INFINITY

  /** Faces come by rising id. */
  add(face: CheckedFace): void {
    const place = placeOf(labelOf(face))
    this.people.add(place)
    if (place > this.#last) return
    const faces = this.#faces.get(place) ?? []
    if (faces.length === FACE_LIMITS.representedFaces) faces.shift()
    this.#faces.set(place, [...faces, face])
  }

  /** Removes the surplus people of the sample. */
  shrink(): void {
    if (this.#faces.size <= FACE_LIMITS.judgedPeople) return
    const first = [...this.#faces].sort(([a], [b]) => a - b).slice(0, FACE_LIMITS.judgedPeople)
    this.#faces = new Map(first)
    this.#last = first.at(-1)![0]
  }

  /** The faces of each person of the sample, in the order of the places. */
  get faces(): CheckedFace[][] {
    return [...this.#faces].sort(([a], [b]) => a - b).map(([, faces]) => faces)
  }
}

async function sampleOf(
  { database }: MeasuredServices,
  scope: FaceScope,
  target: SearchTarget,
  isStopping: () => boolean,
): Promise<Sample> {
  const sample = new Sample()
  for (let above = -1; ; ) {
    const page = await nextChecked(database, scope, above, ROWS_PER_TURN)
    for (const face of page) if (target === 'faces' || typeof face.personId === 'number') sample.add(face)
    sample.shrink()
    if (page.length < ROWS_PER_TURN || isStopping()) return sample
    above = page.at(-1)!.id
    await environment.turn()
  }
}

/** Place of a person in a random but stable order: the FNV-1a hash of the label, 32 bits. */
function placeOf(label: string) {
  let hash = 0x811c9dc5
  for (let i = 0; i < label.length; i++) hash = Math.imul(hash ^ label.charCodeAt(i), 0x01000193)
  return hash >>> 0
}

/** The people of the sample whose vectors exist, as a search for persons compares them. */
async function withEvidence(
  services: MeasuredServices,
  scope: FaceScope,
  sample: readonly (readonly CheckedFace[])[],
): Promise<Sampled[]> {
  const evidence = await storedEvidence(
    services,
    scope,
    sample.map(([face]) => face!.personId as number),
  )
  return [...evidence.values()].map(({ template, confirmed, units }) => ({
    probe: units.values().next().value!,
    references: [template, ...confirmed],
  }))
}

/** The same, as a search for faces compares them. */
async function withFaces(
  services: MeasuredServices,
  { owner }: FaceScope,
  sample: readonly (readonly CheckedFace[])[],
): Promise<Sampled[]> {
  const compared = sample.map(faces => faces.slice(-FACES_PER_PERSON).map(({ id }) => id))
  const units = await unitVectors(services, owner, compared.flat())
  return compared.flatMap(ids => {
    const references = ids.flatMap(id => units.get(id) ?? [])
    return references[0] ? [{ probe: references[0], references }] : []
  })
}

/** The people of a gallery for its check: a person, or a meta where faces have no person. Compares them by templates. */
import { storeGallery } from '../../../contract/model/gallery.ts'
import { type LabelledFace, labelledFaces, labelOf } from '../../metadata/faces/faces.ts'
import { type CheckedFace, newestFacesOfPerson } from '../../metadata/galleries/gallery-check.ts'
import type { FaceScope } from '../../metadata/persons/template-faces.ts'
import { dot } from '../../vector-store/unit-vector.ts'
import { requireShards } from '../search/closest/live-shards.ts'
import { bestFaces, templateOfUnits, unitVectors } from '../search/closest/person-templates.ts'
import type { Services } from '../services.ts'

type CheckServices = Pick<Services, 'database' | 'vectors' | 'scale'>

/** False for a face without a person and a meta. */
export const isNamedFace = ({ personId, meta }: LabelledFace): boolean => personId !== null || meta !== ''

/** Another person than the person of a probe. */
export interface Other {
  /** Their face that is closest to the probe. */
  face: LabelledFace
  template: Float32Array
  /** Cosine of the template with the probe, and its confidence. */
  ofTemplate: number
  confidence: number
}

/** Faces of the first and the last search for other people. */
const FIRST_ROUND_FACES = 50
const LAST_ROUND_FACES = 1_000

/** Compares probes with other people of a gallery. It reads each template once. */
export class OtherPeople {
  readonly #services: CheckServices
  readonly #scope: FaceScope
  readonly #templates = new Map<string, Promise<Float32Array | undefined>>()

  constructor(services: CheckServices, scope: FaceScope) {
    this.#services = services
    this.#scope = scope
  }

  /**
   * The named people whose faces are closest to a unit vector, without the person `label`: at most `count`, by falling cosines of
   * the faces. Rejects with StoreUnavailable.
   */
  async closest(probe: Float32Array, label: string, count: number): Promise<Other[]> {
    const nearest = await this.#nearest(probe, label, count)
    const others = []
    for (const face of nearest) {
      const template = await this.#templateOf(face)
      if (!template) continue
      const ofTemplate = dot(probe, template, 0)
      others.push({ face, template, ofTemplate, confidence: this.#services.scale.confidence(ofTemplate) })
    }
    return others
  }

  async #nearest(probe: Float32Array, label: string, count: number): Promise<LabelledFace[]> {
    const { owner, gallery } = this.#scope
    for (let limit = FIRST_ROUND_FACES; ; limit *= 4) {
      const bounds = { limit, minScore: -1 }
      const { candidates, ...shards } = await this.#services.vectors.search(
        storeGallery(owner, gallery),
        probe,
        bounds,
      )
      requireShards(shards, true)
      const rows = await labelledFaces(
        this.#services.database,
        owner,
        candidates.map(({ id }) => id),
      )
      const faces = new Map(rows.map(row => [row.id, row]))
      const nearest = new Map<string, LabelledFace>()
      for (const { id } of candidates) {
        const face = faces.get(id)
        if (!face || !isNamedFace(face) || labelOf(face) === label || nearest.has(labelOf(face))) continue
        nearest.set(labelOf(face), face)
      }
      if (nearest.size >= count || candidates.length < limit || limit >= LAST_ROUND_FACES)
        return [...nearest.values()].slice(0, count)
    }
  }

  #templateOf(face: LabelledFace): Promise<Float32Array | undefined> {
    const known = this.#templates.get(labelOf(face)) ?? this.#readTemplate(face)
    this.#templates.set(labelOf(face), known)
    return known
  }

  async #readTemplate(face: LabelledFace): Promise<Float32Array | undefined> {
    const faces = bestFaces(await newestFacesOfPerson(this.#services.database, this.#scope, face))
    const ids = faces.map(({ id }) => id)
    return templateOfUnits([...(await unitVectors(this.#services, this.#scope.owner, ids)).values()])
  }
}

/** Faces that look like one person. */
export interface Group {
  faces: CheckedFace[]
  template: Float32Array
}

/** Puts faces into groups: joins the two groups with the closest templates while their cosine reaches `bar`. The largest group first. */
export function groupsOf(
  faces: readonly CheckedFace[],
  units: ReadonlyMap<number, Float32Array>,
  bar: number,
): Group[] {
  const groups = faces.flatMap(face => {
    const template = units.get(face.id)
    return template ? [{ faces: [face], template }] : []
  })
  const cosines = groups.map(({ template }) => groups.map(other => dot(template, other.template, 0)))
  for (;;) {
    const [a, b, cosine] = closestPair(cosines)
    if (cosine < bar) return groups.sort((one, two) => two.faces.length - one.faces.length)
    const joined = [...groups[a]!.faces, ...groups[b]!.faces]
    groups[a] = { faces: joined, template: templateOfUnits(joined.map(({ id }) => units.get(id)!))! }
    groups.splice(b, 1)
    cosines.splice(b, 1)
    for (const row of cosines) row.splice(b, 1)
    for (const [i, { template }] of groups.entries())
      cosines[a]![i] = cosines[i]![a] = dot(groups[a]!.template, template, 0)
  }
}

/** Indexes of the closest pair, the lower one first, and its cosine; -1 for fewer than two. */
function closestPair(cosines: readonly (readonly number[])[]): [number, number, number] {
  let best: [number, number, number] = [0, 0, Number.NEGATIVE_INFINITY]
  for (const [a, row] of cosines.entries())
    for (let b = a + 1; b < row.length; b++) if (row[b]! > best[2]) best = [a, b, row[b]!]
  return best
}

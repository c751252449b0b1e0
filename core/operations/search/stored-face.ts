/** Compares a stored face with persons: with the evidence of their other faces. */
import type { Face } from '../../../contract/model/face.ts'
import { DEFAULT_GALLERY, storeGallery } from '../../../contract/model/gallery.ts'
import type { StoredFace } from '../../metadata/queries/faces.ts'
import { personById } from '../../metadata/queries/persons.ts'
import type { FaceScope } from '../../metadata/queries/template-faces.ts'
import { dot, unitVector } from '../../vector-store/unit-vector.ts'
import type { Services } from '../services.ts'
import { scoreOf, storedEvidence } from './evidence.ts'
import { falseAlarmBounds, verdictAt } from './false-alarms.ts'

export interface ComparedPerson {
  person: number
  /** The face of the evidence that is closest to the probe. */
  face: number
  /** That of the evidence: 0..1, four decimals. */
  confidence: number
}

/** The persons among these who have faces in the scope, by descending confidence. Rejects with StoreUnavailable. */
export async function compareWithPersons(
  services: Pick<Services, 'database' | 'vectors' | 'scale'>,
  scope: FaceScope,
  probe: Float32Array,
  persons: readonly number[],
): Promise<ComparedPerson[]> {
  const unit = unitVector(probe)
  const compared: ComparedPerson[] = []
  for (const [person, evidence] of await storedEvidence(services, scope, persons)) {
    const cosines = [...evidence.units].map(([id, other]) => ({ id, cosine: dot(unit, other, 0) }))
    const [closest] = cosines.sort((a, b) => b.cosine - a.cosine)
    const confidence = services.scale.confidence(scoreOf(evidence, unit))
    compared.push({ person, face: closest!.id, confidence })
  }
  return compared.sort((a, b) => b.confidence - a.confidence)
}

/** The person of a face, and how alike the face and the other faces of the person are. Rejects with StoreUnavailable. */
export async function whoIs(
  services: Pick<Services, 'database' | 'vectors' | 'scale'>,
  { id, owner, personId }: StoredFace,
): Promise<Face['who']> {
  const { database, vectors } = services
  const stored = typeof personId === 'number' ? await personById(database, owner, personId) : undefined
  if (!stored) return undefined
  const person = { id: stored.id, meta: stored.meta }
  const probe = await vectors.get({ gallery: storeGallery(owner, DEFAULT_GALLERY), id })
  if (!probe) return { person }
  const scope = { owner, gallery: DEFAULT_GALLERY, without: id }
  const [compared] = await compareWithPersons(services, scope, probe, [person.id])
  if (!compared) return { person, verdict: 'certain' }
  const { confidence } = compared
  const bounds = await falseAlarmBounds(services, { owner, gallery: DEFAULT_GALLERY }, 'persons')
  return { person, confidence, ...verdictAt(confidence, bounds) }
}

/** Says of a stored face how sure it is that it shows its person. */
import type { Face } from '../../../../contract/model/face.ts'
import { DEFAULT_GALLERY, storeGallery } from '../../../../contract/model/gallery.ts'
import type { StoredFace } from '../../../metadata/faces/faces.ts'
import { personById } from '../../../metadata/persons/persons.ts'
import type { Services } from '../../services.ts'
import { compareWithPersons } from '../closest/stored-face.ts'
import { judgementOf, verdictField } from './judgement.ts'

/** The person of a face, and how alike the face and the other faces of the person are. Rejects with StoreUnavailable. */
export async function whoIs(
  services: Pick<Services, 'database' | 'vectors' | 'scale' | 'alikenesses'>,
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
  const judgement = await judgementOf(services, { owner, gallery: DEFAULT_GALLERY }, 'persons')
  return { person, confidence, ...verdictField(judgement, confidence) }
}

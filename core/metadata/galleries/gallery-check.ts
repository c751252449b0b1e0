/** Queries of the check of a gallery. Faces that are set aside are left out. */
import { and, asc, desc, eq, gt, isNull, sql } from 'drizzle-orm'
import { FACE_LIMITS } from '../../../contract/limits/faces.ts'
import { DEFAULT_GALLERY } from '../../../contract/model/gallery.ts'
import type { Database } from '../database.ts'
import { filterOf, IS_NOT_SET_ASIDE, type LabelledFace } from '../faces/faces.ts'
import { type FaceScope, inScope } from '../persons/template-faces.ts'
import { faces } from '../schema.ts'

/** A face with what says who it shows, and its quality; 1 where none is known. */
export type CheckedFace = LabelledFace & { quality: number }

const COLUMNS = {
  id: faces.id,
  personId: faces.personId,
  meta: faces.meta,
  quality: sql<number>`coalesce(${faces.measuredQuality}, ${faces.quality} ->> '$.quality', 1)`,
}

/** A condition on all faces of a gallery. It finds the faces of a named gallery by its members: most faces can be in other ones. */
const inGallery = (database: Database, { owner, gallery }: FaceScope) =>
  and(
    eq(faces.owner, owner),
    IS_NOT_SET_ASIDE,
    filterOf(database, owner, { gallery: gallery === DEFAULT_GALLERY ? undefined : gallery }),
  )

/** The next faces of a gallery above an id, ascending. */
export const nextChecked = (
  database: Database,
  scope: FaceScope,
  above: number,
  limit: number,
): Promise<CheckedFace[]> =>
  database
    .select(COLUMNS)
    .from(faces)
    .where(and(inGallery(database, scope), gt(faces.id, above)))
    .orderBy(asc(faces.id))
    .limit(limit)

/** Faces of the scope that show who this face shows: its person, or its meta. */
const samePerson = (scope: FaceScope, { personId, meta }: Pick<LabelledFace, 'personId' | 'meta'>) =>
  and(
    inScope(scope),
    personId === null ? and(isNull(faces.personId), eq(faces.meta, meta)) : eq(faces.personId, personId),
  )

/** The newest FACE_LIMITS.representedFaces faces that show who this face shows. */
export const newestFacesOfPerson = (
  database: Database,
  scope: FaceScope,
  face: Pick<LabelledFace, 'personId' | 'meta'>,
): Promise<CheckedFace[]> =>
  database
    .select(COLUMNS)
    .from(faces)
    .where(samePerson(scope, face))
    .orderBy(desc(faces.id))
    .limit(FACE_LIMITS.representedFaces)

/** The lowest id of a face that shows who this face shows. */
export async function firstFaceOfPerson(
  database: Database,
  scope: FaceScope,
  face: Pick<LabelledFace, 'personId' | 'meta'>,
): Promise<number | undefined> {
  const [first] = await database
    .select({ id: faces.id })
    .from(faces)
    .where(samePerson(scope, face))
    .orderBy(asc(faces.id))
    .limit(1)
  return first?.id
}

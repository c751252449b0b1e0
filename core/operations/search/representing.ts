/** Chooses the faces that represent somebody. */
import { FACE_LIMITS } from '../../../contract/limits/faces.ts'
import type { CheckedFace } from '../../metadata/queries/gallery-check.ts'
import { FOUNDING_QUALITY } from '../../metadata/queries/template-faces.ts'

/** The faces that make a template, as those of a person do (template-faces.ts). */
export function representing(faces: readonly CheckedFace[]): CheckedFace[] {
  const best = faces
    .toSorted((a, b) => b.quality - a.quality || b.id - a.id)
    .slice(0, FACE_LIMITS.templateFaces)
  const good = best.filter(({ quality }) => quality >= FOUNDING_QUALITY)
  return good.length > 0 ? good : best
}

/** The meta of a face as a parameter: what can be stored, and what can be asked for. */
import { LIMITS } from '../../core/contract/limits.ts'
import { text } from './parameter-fields.ts'

/** A meta that is asked for. The empty one is that of faces without a meta. */
export const metaToFind = text(LIMITS.metaLength)

/** A meta whose faces are deleted: never the empty one, which a client sends whose variable is empty. */
export const metaToDelete = metaToFind.refine(
  meta => meta !== '',
  'a meta that is not empty; faces without a meta are deleted by their ids',
)

/** Every URL parser removes these from a path, encoded or not: faces with such a meta could not be asked for there. */
const DOT_SEGMENTS: readonly string[] = ['.', '..']

/** A meta that is stored. */
export const metaToStore = metaToFind.refine(
  meta => !DOT_SEGMENTS.includes(meta),
  'a meta other than "." and "..", which no URL can name',
)

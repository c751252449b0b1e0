/** Parameter `meta`: rules for stored, searched and deleted metas. */
import { LIMITS } from '../../contract/limits.ts'
import { text } from './parameter-fields.ts'

/** A meta to search for. The empty meta selects faces without a meta. */
export const metaToFind = text(LIMITS.metaLength)

/** A meta whose faces are deleted. The empty meta is refused: a client with an unset variable would send it by mistake. */
export const metaToDelete = metaToFind.refine(
  meta => meta !== '',
  'a meta that is not empty; faces without a meta are deleted by their ids',
)

/** URL parsers remove these segments from a path, encoded or not: faces with these metas would have no URL. */
const DOT_SEGMENTS: readonly string[] = ['.', '..']

/** A meta to store. */
export const metaToStore = metaToFind.refine(
  meta => !DOT_SEGMENTS.includes(meta),
  'a meta other than "." and "..", which no URL can name',
)

/** The kind of index that galleries use. Galleries with files of another kind get a new index at the next start. */
import { ivf } from './ivf/ivf.ts'
import type { IndexKind } from './vector-index.ts'

export const indexKind: IndexKind = ivf

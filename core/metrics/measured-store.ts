/** Measures the searches and the commits of a vector store. */
import type { VectorStore } from '../vector-store/vector-store.ts'
import type { Metrics } from './metrics.ts'

/** Counts each search, addition and removal as a run of its stage. Modifies `vectors`. */
export const measuredStore = (vectors: VectorStore, { timed }: Pick<Metrics, 'timed'>): VectorStore =>
  Object.assign(vectors, {
    search: timed('search', vectors.search.bind(vectors)),
    add: timed('commit', vectors.add.bind(vectors)),
    remove: timed('commit', vectors.remove.bind(vectors)),
  })

/** The inverted file as a kind of index: k-means lists, and a prefilter of binary codes within the best lists. */
import type { IndexKind } from '../vector-index.ts'
import { InvertedFile } from './inverted-file.ts'
import { listsFor, openKMeansTrainer, SAMPLE_PER_LIST } from './k-means.ts'

export const ivf: IndexKind = {
  name: 'ivf',
  listsFor,
  samplePerList: SAMPLE_PER_LIST,
  open: (memory, trained, buckets) => new InvertedFile(memory, trained, buckets),
  openTrainer: openKMeansTrainer,
}

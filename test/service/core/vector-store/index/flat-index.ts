/** The smallest kind of index: one list, scanned completely. It shows what another kind needs. */
import { scanBuckets } from '#core/vector-store/codes/scan.ts'
import type { IndexKind } from '#core/vector-store/index/vector-index.ts'

export const flat: IndexKind = {
  name: 'flat',
  listsFor: () => 1,
  samplePerList: 1,
  open: (_memory, _trained, buckets) => ({
    buckets,
    expectRows() {},
    bucketForProbe: () => buckets[0]!,
    scan(rows, _wanted, probe, best) {
      scanBuckets(rows, buckets, probe, best)
    },
    release() {},
  }),
  openTrainer: async () => ({
    train: () => new Float32Array(0),
    assign: ({ ids }) => new Uint32Array(ids.length),
  }),
}

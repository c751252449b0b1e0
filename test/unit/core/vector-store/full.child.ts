/**
 * A process with a limit of file size: `node full.child.ts FOLDER`. Adds vectors until the store refuses them, reports its
 * state, waits for a line on stdin, by which the limit is lifted, and adds again.
 */
import { once } from 'node:events'
import { openShard } from '#core/vector-store/shard/shard.ts'
import { StoreUnavailable } from '#core/vector-store/vector-store.ts'
import { knownEntry, knownVector } from './known.ts'

const store = await openShard(process.argv[2]!)
let kept = 0
const add = () => store.add(Array.from({ length: 50 }, (_, i) => knownEntry(kept + i)))
const outcome = (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => 'done',
    error => (error instanceof StoreUnavailable ? error.why : String(error)),
  )

async function report(refusal: string): Promise<void> {
  const { candidates } = await store.search('g', knownVector(7), { limit: 1, minScore: 0 })
  const { linear } = (await store.gallery('g'))!
  const vector = await store.get({ gallery: 'g', id: kept })
  const seen = { refusal, kept, found: candidates[0]?.id, linear, half: vector !== undefined }
  process.stdout.write(`${JSON.stringify(seen)}\n`)
}

let refusal = 'done'
// A refusal truncates the journal, which may free some space.
for (let refused = 0; refused < 5; refused = refusal === 'done' ? 0 : refused + 1) {
  refusal = await outcome(add())
  if (refusal === 'done') kept += 50
}
// An addition and a removal together: both are refused, and neither has an effect.
const refusals = await Promise.all([outcome(add()), outcome(store.remove([{ gallery: 'g', id: 3 }]))])
await report([refusal, ...refusals].join(' '))
await once(process.stdin, 'data')
refusal = await outcome(add())
if (refusal === 'done') kept += 50
await report(refusal)
await store.close()
process.exit(0)

/**
 * A process whose files may not grow: `node full.child.ts FOLDER`. Adds until it is refused, says what became of it, and
 * waits for a line on stdin, after which there is room.
 */
import { once } from 'node:events'
import { openShard } from '../../../../core/vector-store/shard/shard.ts'
import { StoreUnavailable } from '../../../../core/vector-store/vector-store.ts'
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
// A refusal wipes the journal, which may give some room again.
for (let refused = 0; refused < 5; refused = refusal === 'done' ? 0 : refused + 1) {
  refusal = await outcome(add())
  if (refusal === 'done') kept += 50
}
// Several at once: all of them are refused, and none of them is there.
const refusals = await Promise.all([outcome(add()), outcome(store.remove([{ gallery: 'g', id: 3 }]))])
await report([refusal, ...refusals].join(' '))
await once(process.stdin, 'data')
refusal = await outcome(add())
if (refusal === 'done') kept += 50
await report(refusal)
await store.close()
process.exit(0)

/** An import in a separate process: `node import.child.ts FOLDER FILE`. Prints a line for each durable batch. */
import { openShard } from '#core/vector-store/shard/shard.ts'
import { importVectors } from '#core/vector-store/transfer/import.ts'

const [, , folder = '', file = ''] = process.argv

const store = await openShard(folder)
await importVectors(store, file, done => process.stdout.write(`${done}\n`))
await store.close()

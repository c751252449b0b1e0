/** An import in a process of its own: `node import.child.ts FOLDER FILE`. Prints a line for each batch that is durable. */
import { openShard } from '../../../../../core/vector-store/shard/shard.ts'
import { importVectors } from '../../../../../core/vector-store/transfer/import.ts'

const [, , folder = '', file = ''] = process.argv

const store = await openShard(folder)
await importVectors(store, file, done => process.stdout.write(`${done}\n`))
await store.close()

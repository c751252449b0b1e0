/** Thread of a shard: opens it, executes requests, and ends when it is closed. */
import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { isStillOpenFile } from '../../files/inspect.ts'
import { collectGarbage } from '../background.ts'
import { StoreUnavailable } from '../vector-store.ts'
import { openShard, type Shard } from './shard.ts'
import {
  buffersOf,
  failureOf,
  type ShardRequest,
  type ShardResponse,
  type ThreadSetup,
} from './shard-messages.ts'
import { ROWS } from './shard-open.ts'

const { folder, ...settings } = workerData as ThreadSetup

const post = (answer: ShardResponse, buffers: ArrayBuffer[] = []): void =>
  parentPort?.postMessage(answer, buffers)

/** Returns a function that checks whether the rows are still at their path. It reports a loss once. */
function watchRows(path: string): () => boolean {
  const isHeld = isStillOpenFile(path)
  let held = true
  return () => {
    const now = isHeld()
    if (held && !now)
      post({
        damage: `${path} was removed or replaced while the service runs. Nothing is read from it or written to it. Put it back, or stop the service and restore a backup.`,
      })
    held = now
    return now
  }
}

async function answer(shard: Shard, { number, verb, arguments: args }: ShardRequest) {
  try {
    const method = shard[verb] as (...args: unknown[]) => Promise<unknown>
    const result = await method.apply(shard, [...args])
    post({ number, result }, buffersOf(result))
  } catch (error) {
    post({ number, failure: failureOf(error) })
  }
}

try {
  const shard = await openShard(folder, {
    ...settings,
    onDamage: (damage, vectors) => post({ damage, vectors }),
  })
  const isHeld = watchRows(join(folder, ROWS))
  parentPort?.on('message', async (request: ShardRequest) => {
    if (isHeld() || request.verb === 'close') await answer(shard, request)
    else post({ number: request.number, failure: failureOf(new StoreUnavailable('away')) })
    if (request.verb === 'close') parentPort?.close()
  })
  collectGarbage()
  post({ opened: true })
} catch (error) {
  post({ unopened: failureOf(error) })
}

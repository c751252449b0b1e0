/** The thread of a shard: opens it, answers what it is asked, and ends when it is closed. */
import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { isStillOpenFile } from '../../files/open-file.ts'
import { collectGarbage } from '../garbage.ts'
import { StoreUnavailable } from '../vector-store.ts'
import { openShard, type Shard } from './shard.ts'
import { type Answer, buffersOf, failureOf, type Question, type ThreadSetup } from './shard-messages.ts'
import { ROWS } from './shard-open.ts'

const { folder, ...settings } = workerData as ThreadSetup

const say = (answer: Answer, buffers: ArrayBuffer[] = []): void => parentPort?.postMessage(answer, buffers)

/** Whether the rows are at their path still; what is said when they are not is said once. */
function watchRows(path: string): () => boolean {
  const isHeld = isStillOpenFile(path)
  let held = true
  return () => {
    const now = isHeld()
    if (held && !now)
      say({
        damage: `${path} was removed or replaced while the service runs. Nothing is read from it or written to it. Put it back, or stop the service and restore a backup.`,
      })
    held = now
    return now
  }
}

async function answer(shard: Shard, { number, verb, arguments: given }: Question): Promise<void> {
  try {
    const ask = shard[verb] as (...given: unknown[]) => Promise<unknown>
    const result = await ask.apply(shard, [...given])
    say({ number, result }, buffersOf(result))
  } catch (error) {
    say({ number, failure: failureOf(error) })
  }
}

try {
  const shard = await openShard(folder, {
    ...settings,
    onDamage: (damage, vectors) => say({ damage, vectors }),
  })
  const isHeld = watchRows(join(folder, ROWS))
  parentPort?.on('message', async (question: Question) => {
    if (isHeld() || question.verb === 'close') await answer(shard, question)
    else say({ number: question.number, failure: failureOf(new StoreUnavailable('away')) })
    if (question.verb === 'close') parentPort?.close()
  })
  collectGarbage()
  say({ opened: true })
} catch (error) {
  say({ unopened: failureOf(error) })
}

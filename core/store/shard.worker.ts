/** The thread of a shard: opens it, answers what it is asked, and ends when it is closed. */
import { parentPort, workerData } from 'node:worker_threads'
import { collectGarbage } from './garbage.ts'
import { openShard, type Shard } from './shard.ts'
import { type Answer, buffersOf, failureOf, type Question, type ThreadSetup } from './shard-messages.ts'

const { folder, ...settings } = workerData as ThreadSetup

const say = (answer: Answer, buffers: ArrayBuffer[] = []): void => parentPort?.postMessage(answer, buffers)

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
  const shard = await openShard(folder, { ...settings, onDamage: damage => say({ damage }) })
  parentPort?.on('message', async (question: Question) => {
    await answer(shard, question)
    if (question.verb === 'close') parentPort?.close()
  })
  collectGarbage()
  say({ opened: true })
} catch (error) {
  say({ unopened: failureOf(error) })
}

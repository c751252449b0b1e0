/**
 * A conversion in its own process: `node reembed.child.ts DATA [CALL]`. The process is killed after that call of a store or
 * at that step, such as `next.add 2`. Without CALL it prints its result and progress.
 */
import { flushCompileCache } from 'node:module'
import { join } from 'node:path'
import { embedByColour } from '#bench/harness/sample-faces.ts'
import { reconcile } from '#core/operations/consistency/reconcile.ts'
import { openStores } from '#core/operations/services.ts'
import { convert } from '#core/operations/upkeep/reembed.ts'
import { openNextGeneration, serveNextGeneration } from '#core/vector-store/open.ts'
import type { VectorStore } from '#core/vector-store/vector-store.ts'
import type { EmbedderModel } from '#models/manifest.ts'

// A killed process keeps no compiled sources otherwise.
flushCompileCache()

const [, , data = '', doom = ''] = process.argv

const CHIP: EmbedderModel['chip'] = { template: 'arcface', size: 112, margin: 0 }
const EMBEDDER = 'colours-4'

function die(): never {
  process.kill(process.pid, 'SIGKILL')
  // The signal has been sent; the process must do nothing more.
  for (;;);
}

const at = (step: string): void => {
  if (step === doom) die()
}

let additions = 0
const counted = (store: VectorStore): VectorStore =>
  new Proxy(store, {
    get(target, name) {
      const value = Reflect.get(target, name, target)
      if (name !== 'add') return typeof value === 'function' ? value.bind(target) : value
      return async (...values: Parameters<VectorStore['add']>) => {
        await target.add(...values)
        at(`next.add ${++additions}`)
      }
    },
  })

/** Returns four numbers; the old embedder returns three. */
const embed = async (chips: readonly Uint8Array[]) =>
  (await embedByColour(chips)).map(vector => Float32Array.of(...vector, 1_000))

const stores = await openStores(data)
await reconcile(stores)
const folder = join(data, 'vectors')
const next = await openNextGeneration(folder, EMBEDDER)
at('begun')
const progress: [number, number][] = []
const lost = await convert({
  stores,
  next: counted(next),
  chip: CHIP,
  embed,
  onProgress: (done, total) => progress.push([done, total]),
})
at('converted')
await next.close()
if (lost.faces.length === 0) await serveNextGeneration(folder, EMBEDDER)
at('taken')
await stores.close()
process.stdout.write(JSON.stringify({ lost, progress, additions }))

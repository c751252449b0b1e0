/** A conversion to another embedder, with its steps. Without the test runner, so that a child process can run it. */
import { join } from 'node:path'
import { embedByColour } from '#bench/harness/sample-faces.ts'
import type { DataKey } from '#core/encryption/encrypt.ts'
import { reconcile } from '#core/operations/consistency/reconcile.ts'
import { convert } from '#core/operations/upkeep/reembed.ts'
import { openStores } from '#core/stores.ts'
import { openNextGeneration, serveNextGeneration } from '#core/vector-store/open.ts'
import type { VectorStore } from '#core/vector-store/vector-store.ts'
import type { EmbedderModel } from '#models/manifest.ts'

export const NEW = 'colours-4'

const CHIP: EmbedderModel['chip'] = { template: 'arcface', size: 112, margin: 0 }

/** Returns four numbers; the old embedder returns three. */
const embed = async (chips: readonly Uint8Array[]) =>
  (await embedByColour(chips)).map(vector => Float32Array.of(...vector, 1_000))

/** Converts a closed folder. Tells its steps, such as `next.add 2` after the second addition. */
export async function reembed(data: string, at: (step: string) => void = () => {}, dataKey?: DataKey) {
  const stores = await openStores(data, { dataKey })
  try {
    await reconcile(stores)
    const folder = join(data, 'vectors')
    const next = await openNextGeneration(folder, NEW, { dataKey })
    at('begun')
    let additions = 0
    const counted: VectorStore = new Proxy(next, {
      get(target, name) {
        const value = Reflect.get(target, name, target)
        if (name !== 'add') return typeof value === 'function' ? value.bind(target) : value
        return async (...values: Parameters<VectorStore['add']>) => {
          await target.add(...values)
          at(`next.add ${++additions}`)
        }
      },
    })
    const progress: [number, number][] = []
    const lost = await convert({
      stores,
      next: counted,
      chip: CHIP,
      embed,
      onProgress: (done, total) => progress.push([done, total]),
    })
    await next.close()
    if (lost.faces.length === 0) await serveNextGeneration(folder, NEW)
    at('taken')
    return { lost, progress, additions }
  } finally {
    await stores.close()
  }
}

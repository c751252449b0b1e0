/** Times the stages of a request separately, with the service's code in this process. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEmbedder } from '#core/embedding/embedder.ts'
import { openShardThread } from '#core/vector-store/shard/shard-thread.ts'
import { readModel } from '#models/files.ts'
import { type PlacedPack, STANDARD_PACK } from '#models/packs.ts'
import { loadCodecs } from '#wasm/decode/codecs.node.ts'
import { analyzePhoto, openVisionModels, type Stage } from '#wasm/pipeline.ts'
import { openRuntime } from '#wasm/runtime/runtime.node.ts'

/** Milliseconds of each stage of one identify request. */
export type StageTimes = Record<Stage | 'embed' | 'search', number>

export interface Stages {
  /** Analyzes the photo, embeds the biggest face, and searches it in the gallery. */
  identify(photo: Uint8Array): Promise<StageTimes>
  close(): Promise<void>
}

/** Faces in the searched gallery. */
export const ENROLLED = 10_000

export async function openStages(pack: PlacedPack = STANDARD_PACK): Promise<Stages> {
  const folder = await mkdtemp(join(tmpdir(), 'mien-stages-'))
  const models = await openVisionModels(await openRuntime(), loadCodecs(), readModel, pack)
  const embedder = await openEmbedder({ pack })
  const store = await openShardThread(join(folder, 'vectors'))
  const vector = () => Float32Array.from({ length: pack.embedder.dimension }, () => Math.random() - 0.5)
  await store.add(Array.from({ length: ENROLLED }, (_, id) => ({ gallery: 'g', id, vector: vector() })))

  return {
    async identify(photo) {
      const times: StageTimes = { decode: 0, detect: 0, landmarks: 0, align: 0, embed: 0, search: 0 }
      const around = async <Result>(stage: keyof StageTimes, work: () => Promise<Result>) => {
        const began = performance.now()
        const result = await work()
        times[stage] += performance.now() - began
        return result
      }
      const selection = { selector: 'biggest', boxes: [] } as const
      const options = { maxBytes: 2 ** 30, param: 'photo', wrapStage: around }
      const { selected } = await analyzePhoto(models, photo, { ...selection, boxes: [] }, options)
      const [probe] = await around('embed', () => embedder.embed(selected.map(face => face.chip)))
      await around('search', () => store.search('g', probe!, { limit: 10, minScore: 0 }))
      return times
    },
    async close() {
      await embedder.close()
      await store.close()
      await rm(folder, { recursive: true })
    },
  }
}

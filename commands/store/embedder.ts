/** Whose embeddings a data folder has, for what leaves it. */
import { join } from 'node:path'
import { embedderLabel } from '../../core/embedding/label.ts'
import { chosenPack } from '../../core/operations/upkeep/chosen-pack.ts'
import { recordedGeneration } from '../../core/vector-store/generation.ts'

/** The label that is kept with the vectors; that of the chosen pack where none is kept. */
export const embedderIn = async (data: string): Promise<string> =>
  (await recordedGeneration(join(data, 'vectors')))?.embedder ?? embedderLabel(await chosenPack(data))

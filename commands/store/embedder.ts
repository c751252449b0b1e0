/** Determines the embedder of a data folder's vectors, for backups and exports. */
import { join } from 'node:path'
import { embedderLabel } from '../../core/embedding/label.ts'
import { chosenPack } from '../../core/operations/upkeep/chosen-pack.ts'
import { recordedGeneration } from '../../core/vector-store/generation.ts'

/** The label that is stored with the vectors; without one, that of the chosen pack. */
export const embedderIn = async (data: string): Promise<string> =>
  (await recordedGeneration(join(data, 'vectors')))?.embedder ?? embedderLabel(await chosenPack(data))

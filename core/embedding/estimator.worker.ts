/** A worker thread of the estimator: loads its networks once, then estimates batches. */
import { workerData } from 'piscina'
import type { Attributes } from '../../contract/model/attributes.ts'
import { type PlacedFiles, readerOf } from '../../models/files.ts'
import type { AttributeModels, ChipModel } from '../../models/manifest.ts'
import { type Batch, openSession } from './chip-pool.ts'
import { agesAndGenders, emotionsOf } from './estimate-batch.ts'

/** Start parameters of each thread. */
export interface EstimatorSetup {
  readonly models: AttributeModels
  readonly files: PlacedFiles
  /** Layout of the chips. */
  readonly chip: ChipModel
  readonly native: boolean
}

const { models, files, chip, native }: EstimatorSetup = workerData
const read = readerOf(files)
const open = async <Model extends { file: string }>(model: Model) => ({
  model,
  session: await openSession(await read(model.file), { native }),
})
const ageGender = await open(models.ageGender)
const emotion = await open(models.emotion)

/** Runs the requested network: `ageGender` takes chips, `emotion` takes squares of faces. */
export default ({ chips, wish }: Batch<keyof AttributeModels>): Promise<Attributes[]> =>
  wish === 'ageGender' ? agesAndGenders(ageGender, chips, chip) : emotionsOf(emotion, chips)

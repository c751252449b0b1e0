/** One worker thread of the estimator: loads its networks once, then estimates batch after batch. */
import { workerData } from 'piscina'
import { type PlacedFiles, readerOf } from '../../models/files.ts'
import type { AttributeModels, ChipModel } from '../../models/manifest.ts'
import type { Attributes } from '../contract/model/attributes.ts'
import type { Batch } from './chip-pool.ts'
import { agesAndGenders, emotionsOf } from './estimate-batch.ts'
import { openSession } from './session.ts'

/** What each thread is started with. */
export interface EstimatorSetup {
  readonly models: AttributeModels
  readonly files: PlacedFiles
  /** How faces lie on the chips. */
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

/** The network that is wanted; it takes chips, the other one the squares of faces. */
export default ({ chips, wish }: Batch<keyof AttributeModels>): Promise<Attributes[]> =>
  wish === 'ageGender' ? agesAndGenders(ageGender, chips, chip) : emotionsOf(emotion, chips)

/** One worker thread of the estimator: loads its networks once, then estimates batch after batch. */
import { workerData } from 'piscina'
import { readModel } from '../../models/files.ts'
import type { AttributeModels } from '../../models/manifest.ts'
import type { Attributes } from '../contract/attributes.ts'
import type { Batch } from './chip-pool.ts'
import { agesAndGenders, emotionsOf } from './estimate-batch.ts'
import { openSession } from './session.ts'

/** What each thread is started with. */
export interface EstimatorSetup {
  readonly models: AttributeModels
  /** Pixels of a chip's side. */
  readonly chipSide: number
  readonly native: boolean
}

const { models, chipSide, native }: EstimatorSetup = workerData
const open = async <Model extends { file: string }>(model: Model) => ({
  model,
  session: await openSession(await readModel(model.file), { native }),
})
const ageGender = await open(models.ageGender)
const emotion = await open(models.emotion)

/** The network that is wanted; it takes chips, the other one the squares of faces. */
export default ({ chips, wish }: Batch<keyof AttributeModels>): Promise<Attributes[]> =>
  wish === 'ageGender' ? agesAndGenders(ageGender, chips, chipSide) : emotionsOf(emotion, chips)

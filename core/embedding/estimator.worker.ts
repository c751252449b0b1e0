/** One worker thread of the estimator: loads its networks once, then estimates batch after batch. */
import { workerData } from 'piscina'
import { readModel } from '../../models/files.ts'
import type { AttributeModels } from '../../models/manifest.ts'
import type { Asked, Attributes } from '../contract/attributes.ts'
import type { Batch } from './chip-pool.ts'
import { type Estimators, estimateBatch } from './estimate-batch.ts'
import { openSession } from './session.ts'

/** What each thread is started with. */
export interface EstimatorSetup {
  readonly models: AttributeModels
  /** Pixels of a chip's side. */
  readonly chipSide: number
  readonly native: boolean
}

const { models, chipSide, native }: EstimatorSetup = workerData
const open = async (file: string) => openSession(await readModel(file), { native })
const estimators: Estimators = {
  models,
  ageGender: await open(models.ageGender.file),
  emotion: await open(models.emotion.file),
}

export default ({ chips, wish }: Batch<Asked>): Promise<Attributes[]> =>
  estimateBatch(estimators, chips, chipSide, wish)

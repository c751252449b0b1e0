/** The pack's detector, of whichever kind its manifest names. */
import type { DetectorModel, ReadModel } from '../models/manifest.ts'
import { openBlazeface } from './blazeface-looks.ts'
import type { Detector } from './detection.ts'
import type { Runtime } from './runtime.ts'
import { openYunet } from './yunet-looks.ts'

/** Loads the networks that the model names. `leastScore` is for whoever wants to see unlikely faces, too, where the kind has them. */
export function openDetector(
  runtime: Runtime,
  read: ReadModel,
  model: DetectorModel,
  leastScore?: number,
): Promise<Detector> {
  switch (model.kind) {
    case 'blazeface':
      return openBlazeface(runtime, read, model, leastScore)
    case 'yunet':
      return openYunet(runtime, read, model)
  }
}

/** Parameters `quality` and `min_quality`: report the quality of each face, and refuse to enrol faces below a limit. */

import { ServiceError } from '../../contract/errors.ts'
import { boxKey } from '../../contract/model/bbox.ts'
import type { PhotoAnalysis } from '../../wasm/pipeline.ts'
import { mainFault, type QualityFault } from '../../wasm/quality/quality-score.ts'
import { detailParameters } from './face-details.ts'
import { fraction, optional } from './parameter-fields.ts'

/** Whether a response reports the quality of each face. An extension of the API contract, available in every version. */
export const { quality } = detailParameters

/** Minimum quality of each face. */
export const minQuality = optional(
  fraction.meta({
    description: 'Refuse the photo with `LOW_QUALITY` when a face has a lower `quality`.',
  }),
)

/** The main fault of a face, and advice to the person. */
const ADVICE: Record<QualityFault, string> = {
  blurred: 'is blurred. Hold camera and head still, and focus on the face.',
  dark: 'is too dark. Put more light on it.',
  bright: 'is too bright. Put less light on it.',
  flat: 'has too little contrast. Clean the lens, and avoid light from behind.',
  turned: 'is turned away. Look into the camera.',
  small: 'is too small. Move closer to the camera, or send the photo at its full size.',
  unclear: 'is hard to make out. Show the whole face, uncovered.',
}

/** Throws LOW_QUALITY for the first face below `least`. The selection must have requested the quality. */
export function assertQuality(faces: PhotoAnalysis['selected'], least: number | undefined): void {
  if (least === undefined) return
  for (const { box, quality } of faces) {
    const value = quality?.quality
    if (quality === undefined || value === undefined) throw new ServiceError('INTERNAL_ERROR')
    if (value >= least) continue
    const reason = `The face at ${boxKey(box)} ${ADVICE[mainFault(quality)]} Its quality is ${value}, min_quality is ${least}.`
    throw new ServiceError('LOW_QUALITY', { param: 'photo', reason })
  }
}

/** Parameters `liveness` and `min_liveness`: report the liveness of each face, and refuse faces below a limit. */

import { ServiceError } from '../../contract/errors.ts'
import { boxKey } from '../../contract/model/bbox.ts'
import type { Selection } from '../../contract/model/selector.ts'
import type { PhotoAnalysis } from '../../wasm/pipeline.ts'
import { detailParameters } from './face-details.ts'
import { fraction, optional } from './parameter-fields.ts'

/** An extension of the API contract, available in every version. */
export const livenessParameters = {
  liveness: detailParameters.liveness,
  min_liveness: optional(
    fraction.meta({
      description: 'Refuse the photo with `LIVENESS_FAILED` when a face has a lower liveness.',
    }),
  ),
}

export interface LivenessParameters {
  liveness: boolean
  min_liveness?: number | undefined
}

/** The liveness field of a selection. */
export const livenessOf = ({ liveness, min_liveness }: LivenessParameters): Pick<Selection, 'liveness'> =>
  liveness || min_liveness !== undefined ? { liveness: true } : {}

/**
 * Throws LIVENESS_FAILED for the first face below `min_liveness`. `param` names the photo. The error contains no score,
 * because a score would guide an attacker.
 */
export function assertLive(
  faces: PhotoAnalysis['selected'],
  { min_liveness }: LivenessParameters,
  param: string,
): void {
  if (min_liveness === undefined) return
  for (const { box, liveness } of faces) {
    if (liveness === undefined) throw new ServiceError('INTERNAL_ERROR')
    if (liveness >= min_liveness) continue
    const reason = `The face at ${boxKey(box)} looks like a print or a screen. Show the face itself to the camera.`
    throw new ServiceError('LIVENESS_FAILED', { param, reason })
  }
}

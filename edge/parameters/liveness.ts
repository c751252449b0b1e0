/** Liveness as parameters: telling it of each face, and refusing faces below a limit. */

import { ServiceError } from '../../core/contract/errors.ts'
import { boxKey } from '../../core/contract/model/bbox.ts'
import type { Selection } from '../../core/contract/model/selector.ts'
import type { PhotoAnalysis } from '../../wasm/pipeline.ts'
import { boolean, fraction, optional, withDefault } from './parameter-fields.ts'

/** An extension of the contract, in every version. */
export const livenessParameters = {
  liveness: withDefault(
    boolean.meta({ description: 'Tell of each face how surely it is not a print or a screen.' }),
    false,
  ),
  min_liveness: optional(
    fraction.meta({
      description: 'Refuse the photo with `LIVENESS_FAILED` when the liveness of a face is below this.',
    }),
  ),
}

export interface LivenessParameters {
  liveness: boolean
  min_liveness?: number | undefined
}

/** What a selection asks for. */
export const livenessOf = ({ liveness, min_liveness }: LivenessParameters): Pick<Selection, 'liveness'> =>
  liveness || min_liveness !== undefined ? { liveness: true } : {}

/**
 * Throws LIVENESS_FAILED at the first face below `min_liveness`; `param` names the photo. The refusal tells no score: it
 * would guide an attacker.
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

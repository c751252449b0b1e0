/** Which faces and details the parameters of a photo request, and checks of the faces that were found. */
import type * as z from 'zod'
import { badParam, ServiceError, wrongValue } from '../../contract/errors.ts'
import {
  attributesAreOff,
  firstRequested,
  type RequestedAttributes,
} from '../../contract/model/attributes.ts'
import { type Box, boxKey } from '../../contract/model/bbox.ts'
import { FACE_DETAIL_NAMES, type FaceDetail, type FaceDetails } from '../../contract/model/face-details.ts'
import type { Selection } from '../../contract/model/photo-analysis.ts'
import { checkedBox } from '../../contract/parameters/boxes.ts'
import type { boxParameters } from '../../contract/parameters/photos.ts'
import type { PhotoAnalysis } from '../../wasm/pipeline.ts'
import { mainFault, type QualityFault } from '../../wasm/quality/quality-score.ts'
import type { OperationCall } from './route.ts'

export type SelectedFaces = PhotoAnalysis['selected']

/** The attributes that a call requests; undefined for none. Throws BAD_PARAM when attribute recognition is off. */
export function requestedAttributes({
  caller,
  version,
  params: { age, gender, emotions },
}: Pick<OperationCall<RequestedAttributes>, 'caller' | 'version' | 'params'>):
  | RequestedAttributes
  | undefined {
  const requested = { age, gender, emotions }
  if (version === 'v0' || !firstRequested(requested)) return undefined
  if (!caller.gae) throw attributesAreOff(requested)
  return requested
}

type BoxParameters = z.output<z.ZodObject<typeof boxParameters>>

/**
 * The boxes of a request, possibly none, and the name of the parameter that holds them. Throws BAD_PARAM for incomplete or
 * invalid corners, and when the corners and `bbox` differ.
 */
export function requestedBoxes(params: BoxParameters): Required<Pick<Selection, 'boxes' | 'boxesParam'>> {
  const { bbox = [] } = params
  const corners = cornersOf(params)
  if (bbox.length === 0) return { boxes: corners ? [corners] : [], boxesParam: 'x1' }
  if (corners && !(bbox.length === 1 && isSame(bbox[0], corners)))
    throw wrongValue('bbox', bbox, 'the same box as in x1, y1, x2 and y2, or one of the two alone')
  return { boxes: bbox, boxesParam: 'bbox' }
}

function cornersOf({ x1, y1, x2, y2 }: BoxParameters): Box | undefined {
  const corners = { x1, y1, x2, y2 }
  const missing = Object.entries(corners).find(([, value]) => value === undefined)
  if (!missing) {
    const box = checkedBox(corners as Box)
    if (typeof box === 'string') throw wrongValue('x1', x1, box)
    return box
  }
  if (Object.values(corners).some(value => value !== undefined))
    throw badParam(missing[0], '', 'x1, y1, x2 and y2: expected all four or none.')
  return undefined
}

const isSame = (one: Box | undefined, other: Box) =>
  (['x1', 'y1', 'x2', 'y2'] as const).every(corner => one?.[corner] === other[corner])

type RequestedDetails = { readonly [Name in FaceDetail]?: boolean }

/** The details of a face that the parameters request. A selection may have measured more. */
export const reportedDetails = (params: RequestedDetails, face: FaceDetails | undefined): FaceDetails =>
  Object.fromEntries(
    FACE_DETAIL_NAMES.filter(name => params[name] && face?.[name] !== undefined).map(name => [
      name,
      face![name],
    ]),
  )

export interface LivenessParameters {
  liveness?: boolean
  min_liveness?: number
}

/** The liveness field of a selection. */
export const livenessOf = ({ liveness, min_liveness }: LivenessParameters): Pick<Selection, 'liveness'> =>
  liveness || min_liveness !== undefined ? { liveness: true } : {}

/**
 * Throws LIVENESS_FAILED for the first face below `min_liveness`. `param` names the photo. The error contains no score,
 * because a score would guide an attacker.
 */
export function assertLive(faces: SelectedFaces, { min_liveness }: LivenessParameters, param: string): void {
  if (min_liveness === undefined) return
  for (const { box, liveness } of faces) {
    if (liveness === undefined) throw new ServiceError('INTERNAL_ERROR')
    if (liveness >= min_liveness) continue
    const reason = `The face at ${boxKey(box)} looks like a print or a screen. Show the face itself to the camera.`
    throw new ServiceError('LIVENESS_FAILED', { param, reason })
  }
}

/** The main fault of a face, and advice to the person. */
const ADVICE: Record<QualityFault, string> = {
  blurred: 'is blurred. Hold camera and head still, and focus on the face.',
  dark: 'is too dark. Put more light on it.',
  bright: 'is too bright. Put less light on it.',
  flat: 'has too little contrast. Clean the lens, and avoid light from behind.',
  turned: 'is turned away. Look into the camera.',
  small: 'is too small. Move closer to the camera, or send the photo at its full size.',
  grainy: 'is grainy. Give it more light.',
  unclear: 'is hard to make out. Show the whole face, uncovered.',
}

/** Throws LOW_QUALITY for the first face below `least`. The selection must have requested the quality. */
export function assertQuality(faces: SelectedFaces, least: number | undefined): void {
  if (least === undefined) return
  for (const { box, quality } of faces) {
    const value = quality?.quality
    if (quality === undefined || value === undefined) throw new ServiceError('INTERNAL_ERROR')
    if (value >= least) continue
    const reason = `The face at ${boxKey(box)} ${ADVICE[mainFault(quality)]} Its quality is ${value}, min_quality is ${least}.`
    throw new ServiceError('LOW_QUALITY', { param: 'photo', reason })
  }
}

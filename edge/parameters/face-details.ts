/** Parameters that request optional details of each face, and the details in an answer. */
import {
  byFaceDetail,
  FACE_DETAIL_NAMES,
  type FaceDetail,
  type FaceDetails,
} from '../../contract/model/face-details.ts'
import { boolean, withDefault } from './parameter-fields.ts'

/** An extension of the API contract, available in every version. */
export const detailParameters = byFaceDetail(name =>
  withDefault(boolean.meta({ description: `Report the ${name} of each face.` }), false),
)

type Requested = { readonly [Name in FaceDetail]?: boolean | undefined }

/** Whether the parameters request any detail. */
export const requestsDetails = (params: Requested): boolean =>
  FACE_DETAIL_NAMES.some(name => params[name] === true)

/** The flags of a selection. */
export const requestedDetails = (params: Requested): Requested => byFaceDetail(name => params[name])

/** The details of a face that the parameters request. A selection may have measured more. */
export const reportedDetails = (params: Requested, face: FaceDetails | undefined): FaceDetails =>
  Object.fromEntries(
    FACE_DETAIL_NAMES.filter(name => params[name] && face?.[name] !== undefined).map(name => [
      name,
      face![name],
    ]),
  )

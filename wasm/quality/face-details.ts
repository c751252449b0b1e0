/** Measures the optional details of a face that a selection requests. */
import type { Box } from '../../contract/model/bbox.ts'
import { FACE_DETAIL_NAMES, type FaceDetail, type FaceDetails } from '../../contract/model/face-details.ts'
import type { Photo } from '../imaging/orientation.ts'
import type { Liveness } from './liveness.ts'
import { type CutFace, qualityOf } from './quality.ts'

/** A face as the measures see it: on the photo, and cut out. */
interface MeasuredFace extends CutFace {
  readonly photo: Photo
  /** In upright pixels of the photo. */
  readonly box: Box
}

/** Networks of the measures. */
export interface DetailModels {
  readonly liveness: Liveness
}

type Measure<Detail> = (face: MeasuredFace, models: DetailModels) => Detail | Promise<Detail>

/** The measure of each detail. Another detail is one line here. */
const MEASURES: { readonly [Name in FaceDetail]: Measure<FaceDetails[Name]> } = {
  quality: face => qualityOf(face),
  liveness: ({ photo, box }, models) => models.liveness(photo, box),
}

/** The requested details of a face. */
export async function detailsOf(
  face: MeasuredFace,
  models: DetailModels,
  requested: { readonly [Name in FaceDetail]?: boolean | undefined },
): Promise<FaceDetails> {
  const names = FACE_DETAIL_NAMES.filter(name => requested[name])
  const details = await Promise.all(names.map(async name => [name, await MEASURES[name](face, models)]))
  return Object.fromEntries(details)
}

/** The selected faces of a photo of a request, in groups that fit into the memory of an isolate. */
import { badParam } from '../../contract/errors.ts'
import { PHOTO_LIMITS } from '../../contract/limits/photos.ts'
import type { Selection } from '../../contract/model/photo-analysis.ts'
import type { PhotoAnalysis } from '../../wasm/pipeline.ts'
import { assertLive, type LivenessParameters, type SelectedFaces } from './requested-faces.ts'
import type { OperationCall } from './route.ts'

export interface SelectedPhoto extends Omit<PhotoAnalysis, 'selected' | 'rest'> {
  /** Number of selected faces. */
  readonly count: number
  /** Whether they are too many for one message to core. */
  readonly isGrouped: boolean
  /**
   * Calls `ask` for each group of selected faces in their order, and cuts out the next group during the call. Ends early when `ask`
   * resolves to undefined. Call it once. Throws LIVENESS_FAILED.
   */
  inGroups<Result>(
    ask: (faces: SelectedFaces, from: number) => Promise<Result | undefined>,
  ): Promise<Result[]>
}

/** The other photo of a verification: its parameter, and its known number of selected faces. */
export interface OtherPhoto {
  readonly param: string
  readonly count: number
}

/**
 * Analyses a photo. Throws BAD_PARAM for more than PHOTO_LIMITS.selectedFaces, or PHOTO_LIMITS.pairs with the other photo, before
 * it cuts out a face. Throws LIVENESS_FAILED and the errors of the analysis, too.
 */
export async function selectedPhoto(
  call: OperationCall<LivenessParameters>,
  bytes: Uint8Array<ArrayBuffer>,
  selection: Selection | undefined,
  param: string,
  other: OtherPhoto = { param: '', count: 1 },
): Promise<SelectedPhoto> {
  const most = Math.min(PHOTO_LIMITS.selectedFaces, Math.floor(PHOTO_LIMITS.pairs / other.count))
  const cutOut = async (wanted: Selection | undefined) => {
    const analysis = await call.analyze(bytes, wanted && { ...wanted, most }, param)
    assertLive(analysis.selected, call.params, param)
    return analysis
  }
  const { selected, rest = [], ...seen } = await cutOut(selection)
  const count = selected.length + rest.length
  if (selection && count > most) throw tooManyFaces(selection, { param, count }, other)
  let group = selected
  return {
    ...seen,
    count,
    isGrouped: rest.length > 0,
    async inGroups(ask) {
      const results = []
      let from = 0
      let left = rest
      for (;;) {
        const asked = ask(group, from)
        from += group.length
        // The message has a copy of the pixels. The memory of the group is needed for the next one.
        group = []
        const located = left.slice(0, PHOTO_LIMITS.facesPerGroup)
        left = left.slice(located.length)
        const next = located.length > 0 ? cutOut({ ...selection!, boxes: [], located }) : undefined
        const result = await bothSettled(asked, next)
        if (result !== undefined) results.push(result)
        if (result === undefined || !next) return results
        group = (await next).selected
      }
    },
  }
}

/** The result of the first. Waits for both: the runtime would end an analysis with its request, and its slot would stay taken. */
async function bothSettled<Result>(
  first: Promise<Result>,
  second: Promise<unknown> | undefined,
): Promise<Result> {
  const [result, other] = await Promise.allSettled([first, second])
  if (result.status === 'rejected') throw result.reason
  if (other.status === 'rejected') throw other.reason
  return result.value
}

function tooManyFaces(
  { selector, boxes, boxesParam = 'bbox' }: Selection,
  { param, count }: OtherPhoto,
  other: OtherPhoto,
) {
  const [field, value] =
    boxes.length > 0 ? [boxesParam, boxes] : selector === 'any' ? [param, ''] : ['mf_selector', selector]
  if (count <= PHOTO_LIMITS.selectedFaces)
    return badParam(
      field,
      value,
      `${count} faces of ${param} and ${other.count} of ${other.param} are ${count * other.count} pairs. One request compares at ` +
        `most ${PHOTO_LIMITS.pairs}: name the faces by their boxes in bbox1 and bbox2, in parts.`,
    )
  return badParam(
    field,
    value,
    `${count} faces of ${param} are selected. One request takes at most ${PHOTO_LIMITS.selectedFaces}: name the faces by their ` +
      `boxes in ${param.replace('photo', 'bbox')}, in parts.`,
  )
}

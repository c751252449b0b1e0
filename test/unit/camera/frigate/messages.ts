/** Messages of Frigate, as in its documentation, without fields that Mien does not read. */

export interface Tracked {
  id?: string
  camera?: string
  label?: string
  /** Time of the frame, and of the best snapshot so far, in Unix seconds. */
  frame?: number
  snapshot?: number
  box?: [number, number, number, number]
}

export const START = 1_760_000_000

/** The message of Frigate 0.13 and earlier, which has `snapshot_time`. */
export function olderMessage(type: 'new' | 'update' | 'end', tracked: Tracked = {}) {
  const frame = tracked.frame ?? START + 1
  const after = {
    id: tracked.id ?? '1760000000.475377-mxklsc',
    camera: tracked.camera ?? 'front_door',
    frame_time: frame,
    snapshot_time: tracked.snapshot ?? frame,
    label: tracked.label ?? 'person',
    sub_label: null,
    false_positive: false,
    start_time: START,
    end_time: type === 'end' ? START + 9 : null,
    score: 0.87890625,
    box: tracked.box ?? [432, 496, 544, 854],
    area: 40096,
    region: [218, 440, 693, 915],
    has_snapshot: true,
  }
  return { type, before: { ...after, score: 0.7 }, after }
}

/** The message of later versions: `snapshot` has the time and the box of its frame. */
export function message(type: 'new' | 'update' | 'end', tracked: Tracked = {}) {
  const { after } = olderMessage(type, tracked)
  const { snapshot_time: frame_time, box, area, region, ...rest } = after
  const snapshot = { frame_time, box, area, region, score: 0.93, attributes: [] }
  // The box of the object is from the last frame.
  return { type, before: after, after: { ...rest, box: [0, 0, 10, 10], area, region, snapshot } }
}

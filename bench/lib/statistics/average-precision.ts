/** Average precision of detections over many annotated photos. */
import { type Box, overlap, shorterSide } from '#contract/model/bbox.ts'

/** True boxes and detections of one photo. */
export interface Judged {
  truth: readonly Box[]
  found: readonly { box: Box; score: number }[]
}

/**
 * Area under the precision-recall curve (all points, precision made monotone), 0..1, for true boxes whose shorter side is at least
 * `least` pixels. Three kinds count neither as hit nor as miss, as in COCO's size ranges: smaller true boxes, detections of smaller
 * true boxes, and smaller detections without a true box.
 */
export function averagePrecision(photos: readonly Judged[], least: number, enough: number): number {
  const marks = photos.flatMap(photo => judge(photo, least, enough)).sort((a, b) => b.score - a.score)
  const total = photos.reduce(
    (sum, { truth }) => sum + truth.filter(box => shorterSide(box) >= least).length,
    0,
  )
  const points: { precision: number; recall: number }[] = []
  let hits = 0
  for (const [i, { hit }] of marks.entries()) {
    if (hit) hits++
    points.push({ precision: hits / (i + 1), recall: hits / total })
  }
  let area = 0
  let best = 0
  for (let i = points.length - 1; i >= 0; i--) {
    best = Math.max(best, points[i]!.precision)
    area += best * (points[i]!.recall - (points[i - 1]?.recall ?? 0))
  }
  return area
}

/** Recall and precision of detections of at least this score, 0..1. */
export function atScore(
  photos: readonly Judged[],
  least: number,
  enough: number,
  score: number,
): { recall: number; precision: number } {
  const reported = photos.map(({ truth, found }) => ({
    truth,
    found: found.filter(one => one.score >= score),
  }))
  const marks = reported.flatMap(photo => judge(photo, least, enough))
  const hits = marks.filter(({ hit }) => hit).length
  const total = photos.reduce(
    (sum, { truth }) => sum + truth.filter(box => shorterSide(box) >= least).length,
    0,
  )
  return { recall: hits / total, precision: hits / marks.length }
}

/** The counted detections: hits and false alarms. The detection with the highest score on a true box is its hit. */
function judge({ truth, found }: Judged, least: number, enough: number): { score: number; hit: boolean }[] {
  const taken = new Set<Box>()
  const marks: { score: number; hit: boolean }[] = []
  for (const { box, score } of [...found].sort((a, b) => b.score - a.score)) {
    const match = closest(
      box,
      truth.filter(one => !taken.has(one)),
    )
    if (match && overlap(box, match) >= enough) {
      taken.add(match)
      if (shorterSide(match) >= least) marks.push({ score, hit: true })
    } else if (shorterSide(box) >= least) marks.push({ score, hit: false })
  }
  return marks
}

const closest = (box: Box, among: readonly Box[]) =>
  among.reduce<Box | undefined>(
    (best, one) => (best === undefined || overlap(box, one) > overlap(box, best) ? one : best),
    undefined,
  )

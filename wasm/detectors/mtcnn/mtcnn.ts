/**
 * MTCNN: P-Net proposes faces, R-Net sorts most of them out, O-Net judges the rest, and faces of other detectors.
 * Source: Zhang et al. 2016, Joint face detection and alignment using multitask cascaded convolutional networks,
 * doi 10.1109/LSP.2016.2603342.
 */
import { type Box, height, overlap, width } from '../../../contract/model/bbox.ts'
import { inputLength, writeInput } from '../../../models/input.ts'
import type { ModelInput, MtcnnModel, ReadModel } from '../../../models/manifest.ts'
import { boxAround, centreOf, type Point, type Size } from '../../imaging/geometry.ts'
import { type Photo, warpSmoothly } from '../../imaging/image.ts'
import type { Runtime, Session } from '../../runtime/runtime.ts'
import { type Detection, logOdds, probability } from '../detection.ts'
import { CELL, movedBox, pyramidBands, pyramidScales, readProposals } from './pyramid.ts'

/** Least scores of P-Net and R-Net. Lower ones cost more candidates than they find faces: docs/detection.md#mtcnn. */
const LEAST_PROPOSED = 0.8
const LEAST_REFINED = 0.7

/** Detections of P-Net with a higher overlap are one candidate: on one level, on all levels, and of R-Net. */
const LEVEL_OVERLAP = 0.5
const STAGE_OVERLAP = 0.7

/** Sides of the squares that R-Net and O-Net take, in pixels. */
const REFINEMENT_SIDE = 24
const OUTPUT_SIDE = 48

/** Candidates of R-Net and O-Net at most. They bound the time of a photo that shows a thousand faces. */
const MOST_PROPOSED = 400
const MOST_REFINED = 200

/** Geometric mean of two scores that is as likely a face as not, and factor of the log odds around it. Source: docs/detection.md#scores. */
const EVEN_MEAN = 0.7
const SURENESS = 2

/** Probability of a face that a detector gives one score, and O-Net the other: a logistic function of their geometric mean. */
export const fusedScore = (detector: number, output: number): number =>
  probability(SURENESS * (logOdds(Math.sqrt(detector * output)) - logOdds(EVEN_MEAN)))

/** Pixels of a batch at most: 4 squares of O-Net, 16 of R-Net. */
const BATCH_PIXELS = 4 * OUTPUT_SIDE ** 2

/** Side of the least face on the raster, in pixels. O-Net judges a face of half its input side almost as well. */
const LEAST_FACE_ON_RASTER = 24

/** Estimated microseconds per input pixel. Measured. */
const PROPOSAL_PIXEL_US = 0.2
const REFINEMENT_PIXEL_US = 0.5
const OUTPUT_PIXEL_US = 0.8

export interface Mtcnn {
  /**
   * Judges faces of a detector with O-Net, in the same order: new boxes, five points (right eye, left eye, nose, right and left
   * corner of the mouth), and the score of both, see fusedScore.
   */
  judge(photo: Photo, faces: readonly Detection[]): Promise<Detection[]>
  /** The faces of the photo, several per face. `isKnown` leaves out candidates. `limited`: there were more candidates than are judged. */
  find(
    photo: Photo,
    isKnown: (candidate: Detection) => boolean,
  ): Promise<{ faces: Detection[]; limited: boolean }>
  /** The scale of the raster that `find` needs, 0..1. */
  scaleFor(size: Size): number
}

/** Opens the networks. `leastFace` is the side of the smallest face that `find` finds, in photo pixels; `pixels` bounds P-Net's input. */
export async function openMtcnn(
  runtime: Runtime,
  read: ReadModel,
  { proposal, refinement, output, input }: MtcnnModel,
  { leastFace, pixels }: { leastFace: number; pixels: number },
): Promise<Mtcnn> {
  const pnet = await runtime.session(await read(proposal.file), { pixelUs: PROPOSAL_PIXEL_US })
  const rnet = await runtime.session(await read(refinement.file), { pixelUs: REFINEMENT_PIXEL_US })
  const onet = await runtime.session(await read(output.file), { pixelUs: OUTPUT_PIXEL_US })
  const scalesFor = (size: Size) => pyramidScales(size, leastFace, pixels)

  const judge = async (photo: Photo, faces: readonly Detection[]): Promise<Detection[]> => {
    const judged = await runOnSquares(onet, input, OUTPUT_SIDE, photo, faces)
    return judged.map((face, i) => ({ ...face, score: fusedScore(faces[i]!.score, face.score) }))
  }

  const propose = async (photo: Photo): Promise<Detection[]> => {
    const found: Detection[] = []
    for (const bands of pyramidBands(photo, scalesFor(photo))) {
      const level: Detection[] = []
      for (const band of bands) {
        const data = new Float32Array(inputLength(band.width, band.height))
        writeInput(input, band.pixels, band.width, data)
        const outputs = await pnet.run({ [input.name]: { data, dims: [1, 3, band.height, band.width] } })
        level.push(...readProposals(outputs, band, LEAST_PROPOSED))
      }
      found.push(...withoutOverlapping(level, LEVEL_OVERLAP))
    }
    return withoutOverlapping(found, STAGE_OVERLAP)
  }

  return {
    judge,
    async find(photo, isKnown) {
      const proposed = (await propose(photo)).filter(one => !isKnown(one))
      const refined = await runOnSquares(
        rnet,
        input,
        REFINEMENT_SIDE,
        photo,
        proposed.slice(0, MOST_PROPOSED),
      )
      const likely = refined.filter(({ score }) => score >= LEAST_REFINED)
      const sure = withoutOverlapping(likely, STAGE_OVERLAP)
      return {
        faces: await judge(photo, sure.slice(0, MOST_REFINED)),
        limited: proposed.length > MOST_PROPOSED || sure.length > MOST_REFINED,
      }
    },
    scaleFor: size => Math.min(1, (LEAST_FACE_ON_RASTER / CELL) * (scalesFor(size)[0] ?? 0)),
  }
}

/** Runs R-Net or O-Net on the squares around boxes, in batches. Scores are those of the network. */
async function runOnSquares(
  session: Session,
  input: ModelInput,
  side: number,
  photo: Photo,
  faces: readonly Detection[],
): Promise<Detection[]> {
  const judged: Detection[] = []
  while (judged.length < faces.length) {
    // Batches of a power of two: few distinct shapes keep the runtime's memory small.
    const count = Math.min(BATCH_PIXELS / side ** 2, 2 ** Math.floor(Math.log2(faces.length - judged.length)))
    const batch = faces.slice(judged.length, judged.length + count)
    const squares = batch.map(({ box }) => squareAround(box))
    const length = inputLength(side, side)
    const data = new Float32Array(count * length)
    for (const [i, square] of squares.entries()) {
      const pixel = width(square) / side
      const crop = warpSmoothly(photo, [pixel, 0, square.x1, 0, pixel, square.y1], side, side)
      writeInput(input, crop, side, data, { offset: i * length })
    }
    const { scores, boxes, points } = await session.run({
      [input.name]: { data, dims: [count, 3, side, side] },
    })
    for (const [i, square] of squares.entries())
      judged.push({
        score: probability(scores![i]!),
        box: movedBox(square, boxes!.subarray(4 * i, 4 * i + 4)),
        ...(points && { points: pointsIn(square, points.subarray(10 * i, 10 * i + 10)) }),
      })
  }
  return judged
}

const squareAround = (box: Box): Box => {
  const side = Math.max(width(box), height(box))
  return boxAround(centreOf(box), side, side)
}

/** Five points from x of all points and y of all points, as parts of the square. */
const pointsIn = (square: Box, values: Float32Array): Point[] =>
  Array.from({ length: 5 }, (_, i) => ({
    x: square.x1 + values[i]! * width(square),
    y: square.y1 + values[5 + i]! * width(square),
  }))

/** Non-maximum suppression. Sorted by falling score. */
function withoutOverlapping(faces: readonly Detection[], most: number): Detection[] {
  const kept: Detection[] = []
  for (const face of faces.toSorted((a, b) => b.score - a.score))
    if (kept.every(({ box }) => overlap(box, face.box) <= most)) kept.push(face)
  return kept
}

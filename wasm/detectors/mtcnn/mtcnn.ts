/**
 * MTCNN: P-Net proposes faces, R-Net sorts most of them out, O-Net judges the rest, and faces of other detectors.
 * Source: Zhang et al. 2016, Joint face detection and alignment using multitask cascaded convolutional networks,
 * doi 10.1109/LSP.2016.2603342.
 */
import { inputLength, writeInput } from '../../../models/input.ts'
import type { MtcnnModel, ReadModel } from '../../../models/manifest.ts'
import type { Size } from '../../imaging/geometry.ts'
import type { Photo } from '../../imaging/orientation.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { type Detection, logOdds, probability } from '../detection.ts'
import { withoutOverlapping } from '../merging.ts'
import { type Onet, runOnSquares, SURE_SCORE, squareAround } from './onet.ts'
import { CELL_PX, pyramidBands, pyramidScales, readProposals } from './pyramid.ts'

/** Least scores of P-Net and R-Net. Lower ones cost more candidates than they find faces: docs/detection.md#mtcnn. */
const LEAST_PROPOSED = 0.9
const LEAST_REFINED = 0.5

/** Detections with a higher overlap are one candidate: of P-Net, on one level and on all levels, and of R-Net. */
const PROPOSED_OVERLAP = 0.5
const REFINED_OVERLAP = 0.4

/** Side of the squares that R-Net takes, in pixels. */
const REFINEMENT_SIDE = 24

/** Candidates of R-Net and O-Net at most. They bound the time of a photo that shows a thousand faces. */
const MOST_PROPOSED = 400
const MOST_REFINED = 200

/** Geometric mean of two scores that is as likely a face as not, and factor of the log odds around it. Source: docs/detection.md#scores. */
const EVEN_MEAN = 0.68
const SURENESS = 2

/** Probability of a face with a detector's score and O-Net's score: a logistic function of their geometric mean. */
const fusedScore = (detector: number, output: number) =>
  probability(SURENESS * (logOdds(Math.sqrt(detector * output)) - logOdds(EVEN_MEAN)))

/**
 * Side of the least face on the raster, in pixels. O-Net judges a face of half its input side almost as well. With 22, half of a
 * photo suffices.
 */
const LEAST_FACE_ON_RASTER = 22

/** Estimated microseconds per input pixel, with the time that levels and crops take. Measured. */
const PROPOSAL_PIXEL_US = 0.3
const REFINEMENT_PIXEL_US = 0.7

interface Mtcnn {
  /** Judges faces of a detector with O-Net, in the same order. Scores combine both, see fusedScore. */
  judge(photo: Photo, faces: readonly Detection[]): Promise<Detection[]>
  /** The faces that O-Net is sure of at one of the quarters, judged. */
  judgeTurned(photo: Photo, faces: readonly Detection[]): Promise<Detection[]>
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
  { proposal, refinement, input }: MtcnnModel,
  onet: Onet,
  { leastFace, pixels }: { leastFace: number; pixels: number },
): Promise<Mtcnn> {
  const pnet = await runtime.session(await read(proposal.file), { pixelUs: PROPOSAL_PIXEL_US })
  const rnet = await runtime.session(await read(refinement.file), { pixelUs: REFINEMENT_PIXEL_US })
  const scalesFor = (size: Size) => pyramidScales(size, leastFace, pixels)

  const fused = (judged: readonly Detection[], faces: readonly Detection[]): Detection[] =>
    judged.map((face, i) => ({ ...face, score: fusedScore(faces[i]!.score, face.score) }))

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
      found.push(...withoutOverlapping(level, PROPOSED_OVERLAP))
    }
    return withoutOverlapping(found, PROPOSED_OVERLAP)
  }

  return {
    judge: async (photo, faces) => fused(await onet.judge(photo, faces), faces),
    async judgeTurned(photo, faces) {
      const turned = await onet.judgeTurned(photo, faces)
      return fused(turned, faces).filter((_, i) => turned[i]!.score >= SURE_SCORE)
    },
    async find(photo, isKnown) {
      const proposed = (await propose(photo)).filter(one => !isKnown(one))
      const squares = proposed.slice(0, MOST_PROPOSED).map(squareAround)
      const refined = await runOnSquares(rnet, input, REFINEMENT_SIDE, photo, squares)
      const likely = refined.filter(({ score }) => score >= LEAST_REFINED)
      const sure = withoutOverlapping(likely, REFINED_OVERLAP)
      const kept = sure.slice(0, MOST_REFINED)
      return {
        faces: fused(await onet.judge(photo, kept), kept),
        limited: proposed.length > MOST_PROPOSED || sure.length > kept.length,
      }
    },
    scaleFor: size => Math.min(1, (LEAST_FACE_ON_RASTER / CELL_PX) * (scalesFor(size)[0] ?? 0)),
  }
}

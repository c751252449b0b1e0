/** Worker thread of the benchmark `detection`: runs several detectors on each photo, one after the other. */
import { readFile } from 'node:fs/promises'
import { workerData } from 'piscina'
import sharp from 'sharp'
import { readModel } from '#models/files.ts'
import { type DetectorModel, type ReadModel, STANDARD } from '#models/manifest.ts'
import type { Detection } from '#wasm/detectors/detection.ts'
import { openDetector } from '#wasm/detectors/detector.ts'
import { openRuntime } from '#wasm/runtime/runtime.node.ts'
import { timed } from '../../statistics.ts'
import { pixelsOf } from '../faces/analysis.ts'
import { type DetectorPeer, faceApiDetector, humanBlazeface, YUNET_INPUT, yunet } from './detectors.ts'

/** Configuration of each thread. */
export interface DetectSetup {
  readonly contestants: readonly Contestant[]
  /** A YuNet file for inputs of any size. */
  readonly yunet: string
  /** The picture stands for the small raster of a photo that is larger by this factor. */
  readonly standsFor: number
}

/** Result of one detector on one photo. */
export interface Said {
  readonly name: string
  /** Minimum score of reported faces in the detector's default configuration. */
  readonly usual: number
  readonly found: Pick<Detection, 'box' | 'score'>[]
  readonly milliseconds: number
}

const YUNET_MODEL: DetectorModel = {
  ...{ file: 'yunet.onnx', kind: 'yunet', side: 640, fixed: false },
  input: YUNET_INPUT,
}

const OPENED = {
  mien: () => openMien('Mien', readModel, STANDARD.detector),
  ssd: () => faceApiDetector('ssd'),
  tiny: () => faceApiDetector('tiny'),
  human: humanBlazeface,
  'yunet-pack': () => openMien('Mien with YuNet', async () => readFile(setup.yunet), YUNET_MODEL),
  yunet: async () => yunet(await openRuntime(), setup.yunet),
} satisfies Record<string, () => Promise<DetectorPeer>>

export type Contestant = keyof typeof OPENED

const setup: DetectSetup = workerData
const detectors: DetectorPeer[] = []
for (const contestant of setup.contestants) detectors.push(await OPENED[contestant]())

/** The results of all contestants on the picture at the path, in their order. */
export default async function detectAll(path: string): Promise<Said[]> {
  const picture = await pixelsOf(sharp(path).rotate())
  const said: Said[] = []
  for (const { name, usual, detect } of detectors) {
    let found: Said['found'] = []
    const milliseconds = await timed(async () => {
      found = await detect(picture)
    })
    said.push({ name, usual, found: found.map(({ score, box }) => ({ score, box })), milliseconds })
  }
  return said
}

/** Our detector. The picture is the only raster of a larger photo. */
async function openMien(name: string, read: ReadModel, model: DetectorModel): Promise<DetectorPeer> {
  const { standsFor } = setup
  const bounds = standsFor > 1 ? { leastScore: 0, leastSide: 0 } : { leastScore: 0 }
  const detector = await openDetector(await openRuntime(), read, model, bounds)
  return {
    name,
    usual: 0.5,
    async detect(raster) {
      const [width, height] = [raster.width * standsFor, raster.height * standsFor]
      const photo = { raster, orientation: 1, width, height, step: standsFor, release: () => {} }
      const { faces: found } = await detector.detect(photo)
      return found.map(({ score, box: { x1, y1, x2, y2 } }) => ({
        score,
        box: { x1: x1 / standsFor, y1: y1 / standsFor, x2: x2 / standsFor, y2: y2 / standsFor },
      }))
    },
  }
}

/** Worker thread of the benchmark `detection`: runs the detectors of several packs on each photo in sequence. */
import { workerData } from 'piscina'
import sharp from 'sharp'
import { readerOf } from '#models/files.ts'
import type { PlacedPack } from '#models/packs.ts'
import type { Detection } from '#wasm/detectors/detection.ts'
import { openDetector } from '#wasm/detectors/detector.ts'
import { openOnet } from '#wasm/detectors/mtcnn/onet.ts'
import { openRuntime } from '#wasm/runtime/runtime.node.ts'
import { timed } from '../../statistics.ts'
import { pixelsOf } from './analysis.ts'

/** Configuration of each thread. */
export interface DetectSetup {
  readonly packs: readonly PlacedPack[]
  /** The picture stands for the small raster of a photo that is larger by this factor. */
  readonly standsFor: number
}

/** Result of one detector on one photo. */
export interface Said {
  readonly found: Pick<Detection, 'box' | 'score'>[]
  readonly milliseconds: number
}

const { packs, standsFor }: DetectSetup = workerData
const bounds = { leastScore: 0 }
const runtime = await openRuntime()
const detectors = await Promise.all(
  packs.map(async ({ files, detector, landmarks }) => {
    const read = readerOf(files)
    return openDetector(runtime, read, detector, await openOnet(runtime, read, landmarks), bounds)
  }),
)

/** The results of all packs on the picture at the path, in their order. The picture is the only raster of a larger photo. */
export default async function detectAll(path: string): Promise<Said[]> {
  const raster = await pixelsOf(sharp(path).rotate())
  const [width, height] = [raster.width * standsFor, raster.height * standsFor]
  const photo = { raster, orientation: 1, width, height, step: standsFor, release: () => {} }
  const said: Said[] = []
  for (const detector of detectors) {
    let found: Said['found'] = []
    const milliseconds = await timed(async () => {
      found = (await detector.detect(photo)).faces.map(({ score, box: { x1, y1, x2, y2 } }) => ({
        score,
        box: { x1: x1 / standsFor, y1: y1 / standsFor, x2: x2 / standsFor, y2: y2 / standsFor },
      }))
    })
    said.push({ found, milliseconds })
  }
  return said
}

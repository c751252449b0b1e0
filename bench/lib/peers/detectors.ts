/**
 * Other detectors on decoded pictures with all scores: face-api's two and human's BlazeFace on TFJS WASM, and a
 * YuNet.
 */
import { readFile } from 'node:fs/promises'
import type { ModelInput } from '#models/manifest.ts'
import { readBlazeface } from '#wasm/detectors/blazeface/blazeface.ts'
import type { Detection } from '#wasm/detectors/detection.ts'
import { mergeOverlapping } from '#wasm/detectors/fusion.ts'
import { networkOf, wholePhoto } from '#wasm/detectors/tiling.ts'
import { readYunet } from '#wasm/detectors/yunet.ts'
import { type Raster, uprightPhoto, warp } from '#wasm/imaging/image.ts'
import type { Runtime } from '#wasm/runtime/runtime.ts'
import { humanModels, openFaceApi, tensorflow } from './libraries.ts'

export interface DetectorPeer {
  readonly name: string
  /** Minimum score of reported faces in the default configuration. */
  readonly usual: number
  /** Boxes in pixels of the picture, with scores from LEAST. */
  detect(picture: Raster): Promise<Pick<Detection, 'box' | 'score'>[]>
}

/** Lower scores do not count, not even as false alarms. */
const LEAST = 0.08

/** face-api's detectors: the name, and the name of the network. */
const FACE_API = {
  ssd: { name: 'face-api, SSD', network: 'ssdMobilenetv1' },
  tiny: { name: 'face-api, tiny', network: 'tinyFaceDetector' },
}

/** One of face-api's detectors in its normal configuration, except for the minimum score. */
export async function faceApiDetector(kind: keyof typeof FACE_API, least = LEAST): Promise<DetectorPeer> {
  const tf = await tensorflow()
  const { name, network } = FACE_API[kind]
  const faceApi = await openFaceApi(network)
  const options =
    kind === 'ssd'
      ? new faceApi.SsdMobilenetv1Options({ minConfidence: least, maxResults: 500 })
      : new faceApi.TinyFaceDetectorOptions({ inputSize: 416, scoreThreshold: least })
  return {
    name,
    usual: 0.5,
    async detect({ data, width, height }) {
      const pixels = tf.tensor3d(data, [height, width, 3], 'int32')
      const faces: FaceApiFace[] = await faceApi.detectAllFaces(pixels, options)
      pixels.dispose()
      return faces.map(({ score, box }) => ({
        score,
        box: { x1: box.left, y1: box.top, x2: box.right, y2: box.bottom },
      }))
    },
  }
}

interface FaceApiFace {
  readonly score: number
  readonly box: Readonly<Record<'left' | 'top' | 'right' | 'bottom', number>>
}

/** Side of human's input square for BlazeFace, and the overlap from which two boxes are one face. */
const HUMAN_SIDE = 256
const HUMAN_OVERLAP = 0.1
const HUMAN_OUTPUTS = {
  fine_scores: 'Identity',
  coarse_scores: 'Identity_1',
  fine_boxes: 'Identity_2',
  coarse_boxes: 'Identity_3',
}

/** human's BlazeFace in human's runtime: the whole picture in a square, and boxes before human enlarges them. */
export async function humanBlazeface(): Promise<DetectorPeer> {
  const tf = await tensorflow()
  const model = await tf.loadGraphModel(`${await humanModels()}/blazeface.json`)
  const names = Object.values(HUMAN_OUTPUTS)
  return {
    name: 'human, BlazeFace',
    usual: 0.2,
    async detect(picture) {
      const pixel = Math.max(picture.width, picture.height) / HUMAN_SIDE
      const pixels = warp(uprightPhoto(picture), [pixel, 0, 0, 0, pixel, 0], HUMAN_SIDE, HUMAN_SIDE)
      const outputs: Float32Array[] = tf.tidy(() => {
        const input = tf.tensor(
          Float32Array.from(pixels, value => value / 127.5 - 1),
          [1, HUMAN_SIDE, HUMAN_SIDE, 3],
        )
        return model.execute(input, names).map((output: { dataSync(): Float32Array }) => output.dataSync())
      })
      const named = Object.fromEntries(Object.keys(HUMAN_OUTPUTS).map((name, i) => [name, outputs[i]!]))
      return mergeOverlapping(readBlazeface(named, HUMAN_SIDE, LEAST), HUMAN_OVERLAP).map(
        ({ score, box }) => ({
          score,
          box: { x1: box.x1 * pixel, y1: box.y1 * pixel, x2: box.x2 * pixel, y2: box.y2 * pixel },
        }),
      )
    },
  }
}

/** YuNet's input, as in OpenCV. */
export const YUNET_INPUT: ModelInput = {
  name: 'input',
  layout: 'NCHW',
  channels: 'BGR',
  mean: [0, 0, 0],
  std: [1, 1, 1],
}
const YUNET_OVERLAP = 0.3

/** A YuNet file for inputs of any size. Each picture keeps its size. */
export async function yunet(runtime: Runtime, file: string): Promise<DetectorPeer> {
  const network = networkOf(await runtime.session(await readFile(file)), YUNET_INPUT, readYunet)
  return {
    name: 'YuNet',
    usual: 0.6,
    async detect(picture) {
      const photo = uprightPhoto(picture)
      return mergeOverlapping(await network(photo, wholePhoto(photo, 1), LEAST), YUNET_OVERLAP)
    },
  }
}

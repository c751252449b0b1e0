/** Peers that compare faces: face-api and human, with their documented thresholds. */
import type { Box } from '#contract/model/bbox.ts'
import type { Raster } from '#wasm/imaging/image.ts'
import { openFaceApi, openHuman, tensorflow } from './libraries.ts'

/** One way in which a peer describes faces. */
export interface Descriptor {
  readonly name: string
  /** Documented maximum Euclidean distance of one person's faces; undefined without a documented value. */
  readonly usual?: number
}

export interface DescriptorPeer {
  readonly descriptors: readonly Descriptor[]
  /** Describes the face in the box in each way. Undefined when a peer with its own detector finds no face. */
  describe(picture: Raster, box: Box): Promise<Float32Array[] | undefined>
}

/** face-api's distance for one person, in its FaceMatcher and its examples. */
const FACE_API_DISTANCE = 0.6

/** face-api's landmarks and descriptor in our box. Its own detectors miss most faces of close crops. */
export async function faceApiDescriptor(): Promise<DescriptorPeer> {
  const tf = await tensorflow()
  const faceapi = await openFaceApi('faceLandmark68Net', 'faceRecognitionNet')
  return {
    descriptors: [{ name: "face-api's descriptor, in our box", usual: FACE_API_DISTANCE }],
    async describe({ data, width, height }, { x1, y1, x2, y2 }) {
      const pixels = tf.tensor3d(data, [height, width, 3], 'int32')
      const box = new faceapi.Rect(x1 / width, y1 / height, (x2 - x1) / width, (y2 - y1) / height)
      const detection = new faceapi.FaceDetection(1, box, { width, height })
      const [cut] = await faceapi.extractFaceTensors(pixels, [detection])
      const points = await faceapi.nets.faceLandmark68Net.detectLandmarks(cut)
      const { alignedRect } = faceapi.extendWithFaceLandmarks({ detection }, points)
      const [aligned] = await faceapi.extractFaceTensors(pixels, [alignedRect])
      const descriptor: Float32Array = await faceapi.nets.faceRecognitionNet.computeFaceDescriptor(aligned)
      tf.dispose([pixels, cut, aligned])
      return [descriptor]
    },
  }
}

/** human's `match.similarity` of .5, "can be considered a match": (1 - 5 d / 100 - .2) / .6. */
const HUMAN_DISTANCE = 10

/** Mean of the training pixels of Caffe's ResNets: blue, green, red. */
const CAFFE_MEAN = [103.939, 116.779, 123.68]

/**
 * human's faceres on the face that human detects and rotates: with human's input, and with the input of its training.
 */
export async function humanDescriptors(): Promise<DescriptorPeer> {
  const human = await openHuman({
    detector: { maxDetected: 1, return: true },
    iris: { enabled: false },
    emotion: { enabled: false },
    description: { enabled: true, minConfidence: 0 },
  })
  const { tf } = human
  const { faceres } = human.models.models
  const asTrained = (face: unknown): Float32Array =>
    tf.tidy(() => {
      const [red, green, blue] = tf.split(tf.mul(face, 255), 3, 2)
      const pixels = tf.sub(tf.concat([blue, green, red], 2), CAFFE_MEAN)
      const outputs = faceres.execute(tf.image.resizeBilinear(tf.expandDims(pixels, 0), [224, 224]))
      return outputs.find(({ shape }: { shape: number[] }) => shape[1] === 1024).dataSync()
    })
  return {
    descriptors: [
      { name: "human's faceres, as human feeds it", usual: HUMAN_DISTANCE },
      { name: "human's faceres, BGR less Caffe's mean" },
    ],
    async describe({ data, width, height }) {
      const pixels = tf.tensor(data, [1, height, width, 3], 'float32')
      const [face] = (await human.detect(pixels)).face
      pixels.dispose()
      if (!face?.tensor || !face.embedding) return undefined
      const described = [Float32Array.from(face.embedding), Float32Array.from(asTrained(face.tensor))]
      face.tensor.dispose()
      return described
    },
  }
}

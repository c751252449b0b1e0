/** The source libraries of our attribute networks as peers, on TensorFlow.js with its WASM backend. */
import type { Raster } from '#wasm/imaging/image.ts'
import type { Said } from '../faces/attributes.ts'
import { humanModels, openFaceApi, openHuman, tensorflow } from './libraries.ts'

export interface AttributePeer {
  name: string
  /** Estimates for the face on a picture; undefined when it finds none. */
  read(picture: Raster): Promise<Said | undefined>
}

/** Emotion names of face-api -> those of the API. */
const FACE_API_EMOTIONS: Readonly<Record<string, string>> = {
  fearful: 'fear',
  disgusted: 'disgust',
  surprised: 'surprise',
}

/** Order of human's emotion network. Source: src/gear/emotion.ts of human. */
const HUMAN_EMOTIONS = ['angry', 'disgust', 'fear', 'happy', 'sad', 'surprise', 'neutral']

/** face-api's networks on the whole picture. These pictures are cropped like the authors' training pictures. */
export async function faceApiOnWhole(): Promise<AttributePeer> {
  const tf = await tensorflow()
  const { nets } = await openFaceApi('ageGenderNet', 'faceExpressionNet')
  return {
    name: 'face-api, whole picture',
    async read({ data, width, height }) {
      const pixels = tf.tensor3d(data, [height, width, 3], 'int32')
      const { age, gender } = await nets.ageGenderNet.predictAgeAndGender(pixels)
      const { expression } = (await nets.faceExpressionNet.predictExpressions(pixels)).asSortedArray()[0]
      pixels.dispose()
      return { age, gender, emotion: FACE_API_EMOTIONS[expression] ?? expression }
    },
  }
}

/** human in its normal configuration with its own detector. Caching between frames is off. */
export async function humanByItself(): Promise<AttributePeer> {
  const human = await openHuman({
    iris: { enabled: false },
    emotion: { minConfidence: 0 },
    description: { minConfidence: 0 },
  })
  return {
    name: 'human, by itself',
    async read({ data, width, height }) {
      const pixels = human.tf.tensor(data, [1, height, width, 3], 'float32')
      const [face] = (await human.detect(pixels)).face
      pixels.dispose()
      if (!face?.age || !face.emotion?.[0]) return undefined
      return { age: face.age, gender: face.gender, emotion: face.emotion[0].emotion }
    },
  }
}

/**
 * human's networks on the whole picture. Its emotion network was probably trained on these pictures; see
 * docs/accuracy.md.
 */
export async function humanOnWhole(): Promise<AttributePeer> {
  const tf = await tensorflow()
  const models = await humanModels()
  const faceres = await tf.loadGraphModel(`${models}/faceres.json`)
  const emotions = await humanEmotions()
  return {
    name: 'human, whole picture',
    async read({ data, width, height }) {
      const { genders, ages } = tf.tidy(() => {
        const pixels = tf.tensor(data, [1, height, width, 3], 'float32')
        const [gender, age] = faceres.execute(tf.image.resizeBilinear(pixels, [224, 224]), [
          'gender_pred/Sigmoid',
          'age_pred/Softmax',
        ])
        return { genders: gender.dataSync(), ages: age.dataSync() }
      })
      return {
        age: humanAge(ages),
        gender: genders[0] <= 0.5 ? 'female' : 'male',
        emotion: HUMAN_EMOTIONS[greatest(emotions([{ data, width, height }]))]!,
      }
    },
  }
}

/**
 * human's emotion network in human's runtime on the same squares as ours, and on their mirror images. Remaining
 * differences from our results are not caused by the network.
 */
export async function humanOnSquares(
  cut: (picture: Raster) => Promise<Raster[] | undefined>,
): Promise<AttributePeer> {
  const emotions = await humanEmotions()
  return {
    name: "human's emotions, our squares",
    async read(picture) {
      const squares = await cut(picture)
      if (!squares) return undefined
      const both = squares.flatMap(square => [square, mirrored(square)])
      return { emotion: HUMAN_EMOTIONS[greatest(emotions(both))]! }
    },
  }
}

/** Sums of the probabilities over pictures of one face, in the order of HUMAN_EMOTIONS. */
async function humanEmotions(): Promise<(pictures: readonly Raster[]) => Float32Array> {
  const tf = await tensorflow()
  const network = await tf.loadGraphModel(`${await humanModels()}/emotion.json`)
  return pictures =>
    tf.tidy(() => {
      const each = pictures.map(({ data, width, height }) => {
        const pixels = tf.tensor(data, [1, height, width, 3], 'float32')
        const grey = tf.image.resizeBilinear(pixels, [64, 64]).mul([0.2989, 0.587, 0.114]).sum(3, true)
        return network.execute(grey.div(127.5).sub(1))
      })
      return tf.addN(each).dataSync()
    })
}

function mirrored({ data, width, height }: Raster): Raster {
  const image = data.map((_, i) => {
    const pixel = Math.floor(i / 3)
    const column = pixel % width
    return data[(pixel - column + width - 1 - column) * 3 + (i % 3)]!
  })
  return { data: image, width, height }
}

/** The most probable of 100 ages, shifted towards its more probable neighbour. Source: src/face/faceres.ts. */
function humanAge(ages: Float32Array): number {
  const at = greatest(ages)
  const [below = 0, above = 0] = [ages[at - 1], ages[at + 1]]
  return Math.round(below > above ? 10 * at - 100 * below : 10 * at + 100 * above) / 10
}

const greatest = (numbers: Float32Array): number => numbers.indexOf(Math.max(...numbers))

/** A batch of faces through one of the networks that read attributes, on whatever thread calls. */
import { inputLength, writeInput } from '../../models/input.ts'
import {
  type AgeGenderModel,
  type AttributeModels,
  type ChipModel,
  DLIB_CHIP,
  type EmotionModel,
  type View,
} from '../../models/manifest.ts'
import { chipToChip } from '../../wasm/alignment/five-points.ts'
import { type Affine, compose, uprightPhoto, warp } from '../../wasm/imaging/image.ts'
import type { Session } from '../../wasm/runtime/runtime.ts'
import type { Attributes } from '../contract/model/attributes.ts'
import { squaresLength } from './squares.ts'

/** A network and what it takes in. */
export interface Reader<Model extends AttributeModels[keyof AttributeModels]> {
  readonly model: Model
  readonly session: Session
}

/** How many emotions an answer names. */
const LIKELIEST = 2

/**
 * Age and gender of each of the chips of this kind that lie one after the other. Years have two decimals, which
 * is finer than the network is right; of a baby it may say a little less than 0.
 */
export async function agesAndGenders(
  { model, session }: Reader<AgeGenderModel>,
  chips: Uint8Array,
  kind: ChipModel,
): Promise<Required<Pick<Attributes, 'age' | 'gender'>>[]> {
  const faces = parts(chips, inputLength(kind.size, kind.size))
  const outputs = await run(
    session,
    model,
    faces.flatMap(chip => viewsOf(chip, kind, model)),
  )
  const ages = meansOfPictures(outputs[model.outputs.age]!, faces.length, 1)
  const genders = meansOfPictures(outputs[model.outputs.gender]!, faces.length, model.genders.length)
  return faces.map((_, i) => ({
    age: Math.max(0, Math.round(ages[i]![0]! * 100) / 100),
    gender: fallingBy(genders[i]!, model.genders)[0]!,
  }))
}

/** The likeliest emotions of each of the faces whose squares (squares.ts) lie one after the other. */
export async function emotionsOf(
  { model, session }: Reader<EmotionModel>,
  squares: Uint8Array,
): Promise<Required<Pick<Attributes, 'emotions'>>[]> {
  const outputs = await run(session, model, parts(squares, inputLength(model.size, model.size)))
  const count = squares.length / squaresLength(model)
  const probabilities = meansOfPictures(outputs[model.output]!, count, model.emotions.length)
  return probabilities.map(ofOne => ({ emotions: fallingBy(ofOne, model.emotions).slice(0, LIKELIEST) }))
}

/** The names, that of the greatest number first; in their own order where numbers are equal. */
const fallingBy = <Name>(numbers: Float32Array, names: readonly Name[]): Name[] =>
  [...names.keys()].sort((a, b) => numbers[b]! - numbers[a]!).map(i => names[i]!)

/**
 * The model's views of one chip, in its size. They are parts of dlib's chip, which is what the network reads best:
 * what another kind of chip does not show of that is its edge, continued.
 */
function viewsOf(chip: Uint8Array, kind: ChipModel, { views, size }: AgeGenderModel): Uint8Array[] {
  const photo = uprightPhoto({ data: chip, width: kind.size, height: kind.size })
  const toChip = chipToChip(DLIB_CHIP, kind)
  return views.map(view =>
    warp(photo, compose(toChip, viewToChip(view, size, DLIB_CHIP.size)), size, size, 'continued'),
  )
}

/** The map from a picture of `size` pixels a side to that part of dlib's chip which the view means. */
function viewToChip({ side, top }: View, size: number, chipSide: number): Affine {
  const step = (side * chipSide) / size
  const left = ((1 - side) / 2) * chipSide
  return [step, 0, left, 0, step, top * chipSide]
}

/** One run for all pictures and the mirror images of these: the outputs of one picture and of its image lie in a row. */
function run(
  session: Session,
  { input, size }: Pick<EmotionModel, 'input' | 'size'>,
  pictures: readonly Uint8Array[],
) {
  const length = inputLength(size, size)
  const data = new Float32Array(pictures.length * 2 * length)
  let offset = 0
  for (const picture of pictures) {
    for (const mirrored of [false, true]) {
      writeInput(input, picture, size, data, { offset, mirrored })
      offset += length
    }
  }
  return session.run({ [input.name]: { data, dims: [pictures.length * 2, 3, size, size] } })
}

/** Of `width` numbers for each picture of each face, the mean over the face's pictures. */
function meansOfPictures(numbers: Float32Array, faces: number, width: number): Float32Array[] {
  return parts(numbers, numbers.length / faces).map(ofFace => {
    const means = new Float32Array(width)
    for (const [i, number] of ofFace.entries()) means[i % width]! += (number * width) / ofFace.length
    return means
  })
}

/** What lies one after the other, `length` each. */
const parts = <Numbers extends Uint8Array | Float32Array>(numbers: Numbers, length: number): Numbers[] =>
  Array.from(
    { length: numbers.length / length },
    (_, i) => numbers.subarray(i * length, (i + 1) * length) as Numbers,
  )

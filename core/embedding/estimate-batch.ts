/** Estimates attributes of a batch of faces on the calling thread, and cuts the squares that the emotion network reads. */
import type { Attributes } from '../../contract/model/attributes.ts'
import { inputLength } from '../../models/input.ts'
import {
  type AgeGenderModel,
  type AttributeModels,
  type ChipModel,
  DLIB_CHIP,
  type EmotionModel,
  type Square,
  type View,
} from '../../models/manifest.ts'
import { browToChin, chipToChip } from '../../wasm/alignment/align.ts'
import { type Affine, squareAt } from '../../wasm/imaging/geometry.ts'
import { compose, photoOfRaster } from '../../wasm/imaging/orientation.ts'
import type { Thumbnail } from '../../wasm/imaging/thumbnail.ts'
import { warp } from '../../wasm/imaging/views.ts'
import type { Session } from '../../wasm/runtime/runtime.ts'
import { inputOf, meansOf, parts } from './embed-batch.ts'

/** A network and its session. */
interface Reader<Model extends AttributeModels[keyof AttributeModels]> {
  readonly model: Model
  readonly session: Session
}

/** Number of emotions in a result. */
const EMOTIONS_PER_FACE = 2

/**
 * Age and gender for each of the concatenated chips of this kind. Ages are years with two decimals, finer than the
 * network's accuracy, and at least 0: for babies the network may return slightly less.
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
  const ages = meansOf(outputs[model.outputs.age]!, faces.length, 1)
  const genders = meansOf(outputs[model.outputs.gender]!, faces.length, model.genders.length)
  return faces.map((_, i) => ({
    age: Math.max(0, Math.round(ages[i]![0]! * 100) / 100),
    gender: fallingBy(genders[i]!, model.genders)[0]!,
  }))
}

/** The likeliest emotions of each face, from concatenated squares. */
export async function emotionsOf(
  { model, session }: Reader<EmotionModel>,
  squares: Uint8Array,
): Promise<Required<Pick<Attributes, 'emotions'>>[]> {
  const outputs = await run(session, model, parts(squares, inputLength(model.size, model.size)))
  const count = squares.length / squaresLength(model)
  const probabilities = meansOf(outputs[model.output]!, count, model.emotions.length)
  return probabilities.map(likelihoods => ({
    emotions: fallingBy(likelihoods, model.emotions).slice(0, EMOTIONS_PER_FACE),
  }))
}

/** The names by descending number; equal numbers keep the order of the names. */
const fallingBy = <Name>(numbers: Float32Array, names: readonly Name[]): Name[] =>
  [...names.keys()].sort((a, b) => numbers[b]! - numbers[a]!).map(i => names[i]!)

/**
 * The model's views of one chip, in the model's input size. Views are parts of dlib's chip, which the network reads
 * best. Where another kind of chip shows less, its edge pixels are repeated.
 */
function viewsOf(chip: Uint8Array, kind: ChipModel, { views, size }: AgeGenderModel): Uint8Array[] {
  const photo = photoOfRaster({ data: chip, width: kind.size, height: kind.size })
  const toChip = chipToChip(DLIB_CHIP, kind)
  return views.map(view =>
    warp(photo, compose(toChip, viewToChip(view, size, DLIB_CHIP.size)), size, size, 'continued'),
  )
}

/** Maps a square of `size` pixels per side to the view's part of dlib's chip. */
function viewToChip({ side, top }: View, size: number, chipSide: number): Affine {
  const step = (side * chipSide) / size
  const left = ((1 - side) / 2) * chipSide
  return [step, 0, left, 0, step, top * chipSide]
}

/** One run for all pictures and their mirror images. The outputs of a picture and of its mirror image are adjacent. */
function run(
  session: Session,
  { input, size }: Pick<EmotionModel, 'input' | 'size'>,
  pictures: readonly Uint8Array[],
) {
  const data = inputOf(input, size, pictures, [false, true])
  return session.run({ [input.name]: { data, dims: [pictures.length * 2, 3, size, size] } })
}

/** Bytes of one face's squares. */
export const squaresLength = ({ size, squares }: Pick<EmotionModel, 'size' | 'squares'>): number =>
  squares.length * inputLength(size, size)

/**
 * The model's squares of one face, concatenated: RGB, `size` pixels per side, upright as in the network's training.
 * Pixels outside the photo repeat its edge: black pixels reduce accuracy far more.
 */
export function squaresOf(
  thumbnail: Thumbnail,
  { size, squares }: Pick<EmotionModel, 'size' | 'squares'>,
): Uint8Array {
  const photo = photoOfRaster(thumbnail)
  const pixels = new Uint8Array(squaresLength({ size, squares }))
  for (const [i, square] of squares.entries()) {
    const { centre, side } = placeOf(square, thumbnail)
    const cut = warp(photo, squareAt(centre, side, 0, size), size, size, 'continued')
    pixels.set(cut, i * cut.length)
  }
  return pixels
}

/** Position of a square on the thumbnail. The model defines it relative to the square from brow to chin. */
function placeOf({ side, up }: Square, { face }: Pick<Thumbnail, 'face'>) {
  const square = browToChin(face)
  return {
    centre: { x: square.centre.x, y: square.centre.y - up * square.side },
    side: side * square.side,
  }
}

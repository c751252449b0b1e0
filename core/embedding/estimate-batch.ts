/** A batch of chips to the attributes that were asked for: the chips' views through the networks, on whatever thread calls. */
import { inputLength, writeInput } from '../../models/input.ts'
import type { AgeGenderModel, AttributeModels, EmotionModel, View } from '../../models/manifest.ts'
import { type Affine, type Photo, warp } from '../../wasm/image.ts'
import type { Session } from '../../wasm/runtime.ts'
import type { Asked, Attributes } from '../contract/attributes.ts'

/** The loaded networks. */
export interface Estimators {
  readonly models: AttributeModels
  readonly ageGender: Session
  readonly emotion: Session
}

/** How many emotions an answer names. */
const LIKELIEST = 2

/** The side of the chips, in pixels, and the chips one after the other -> what was asked for, one by one. */
export async function estimateBatch(
  { models, ageGender, emotion }: Estimators,
  chips: Uint8Array,
  side: number,
  asked: Asked,
): Promise<Attributes[]> {
  const pictures = chipsAsPictures(chips, side)
  const persons = asked.age || asked.gender ? await agesAndGenders(ageGender, models.ageGender, pictures) : []
  const moods = asked.emotions ? await emotionsOf(emotion, models.emotion, pictures) : []
  return pictures.map((_, i) => ({
    ...(asked.age ? { age: persons[i]!.age } : {}),
    ...(asked.gender ? { gender: persons[i]!.gender } : {}),
    ...(asked.emotions ? { emotions: moods[i]! } : {}),
  }))
}

type Person = Required<Pick<Attributes, 'age' | 'gender'>>

/** Years with two decimals, which is finer than the network is right. Of a baby it may say a little less than 0. */
async function agesAndGenders(
  session: Session,
  model: AgeGenderModel,
  pictures: readonly Photo[],
): Promise<Person[]> {
  const outputs = await runOnViews(session, model, pictures)
  const ages = meansOfViews(outputs[model.outputs.age]!, pictures.length, 1)
  const genders = meansOfViews(outputs[model.outputs.gender]!, pictures.length, model.genders.length)
  return pictures.map((_, i) => ({
    age: Math.max(0, Math.round(ages[i]![0]! * 100) / 100),
    gender: fallingBy(genders[i]!, model.genders)[0]!,
  }))
}

async function emotionsOf(session: Session, model: EmotionModel, pictures: readonly Photo[]) {
  const outputs = await runOnViews(session, model, pictures)
  const probabilities = meansOfViews(outputs[model.output]!, pictures.length, model.emotions.length)
  return probabilities.map(ofOne => fallingBy(ofOne, model.emotions).slice(0, LIKELIEST))
}

/** The names, that of the greatest number first; in their own order where numbers are equal. */
const fallingBy = <Name>(numbers: Float32Array, names: readonly Name[]): Name[] =>
  [...names.keys()].sort((a, b) => numbers[b]! - numbers[a]!).map(i => names[i]!)

type ChipReader = Pick<AgeGenderModel, 'input' | 'size' | 'views'>

/** One run for all views of all chips and the mirror images of these: the outputs of one chip lie in a row. */
function runOnViews(session: Session, { input, size, views }: ChipReader, pictures: readonly Photo[]) {
  const length = inputLength(size, size)
  const count = pictures.length * views.length * 2
  const data = new Float32Array(count * length)
  let offset = 0
  for (const picture of pictures) {
    for (const view of views) {
      const pixels = warp(picture, viewToChip(view, size, picture.width), size, size)
      for (const mirrored of [false, true]) {
        writeInput(input, pixels, size, data, { offset, mirrored })
        offset += length
      }
    }
  }
  return session.run({ [input.name]: { data, dims: [count, 3, size, size] } })
}

/** The map from a picture of `size` pixels a side to that part of a chip which the view means. */
function viewToChip({ side, top }: View, size: number, chipSide: number): Affine {
  const step = (side * chipSide) / size
  const left = ((1 - side) / 2) * chipSide
  return [step, 0, left, 0, step, top * chipSide]
}

/** Of `width` numbers for each view of each chip, the mean over the chip's views. */
function meansOfViews(numbers: Float32Array, chips: number, width: number): Float32Array[] {
  const perChip = numbers.length / chips
  return Array.from({ length: chips }, (_, chip) => {
    const means = new Float32Array(width)
    for (let i = 0; i < perChip; i++) {
      means[i % width]! += (numbers[chip * perChip + i]! * width) / perChip
    }
    return means
  })
}

/** Chips that lie one after the other, as the sampler wants them. */
function chipsAsPictures(chips: Uint8Array, side: number): Photo[] {
  const length = inputLength(side, side)
  return Array.from({ length: chips.length / length }, (_, i) => ({
    raster: { data: chips.subarray(i * length, (i + 1) * length), width: side, height: side },
    orientation: 1,
    width: side,
    height: side,
    release: () => {},
  }))
}

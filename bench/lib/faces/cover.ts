/** Covers the face on a chip of the standard pack, as glasses, masks, hands and movement do. */
import { STANDARD } from '#models/manifest.ts'
import { changed } from './degrade.ts'

const { size } = STANDARD.embedder.chip

/** Points of ArcFace's template on the chip, in pixels. */
const [LEFT_EYE, RIGHT_EYE, NOSE] = [
  { x: 54, y: 68 },
  { x: 90, y: 68 },
  { x: 72, y: 88 },
]
/** Half the width of a mask, in pixels. */
const MASK_WIDTH = 38
/** Pixels along the line that a movement mixes. */
const STEPS = 24

/** A covered chip. Equal random numbers give equal chips. */
type Covering = (chip: Uint8Array, random: () => number) => Uint8Array

export const COVERINGS = {
  /** Rims alone, which cover nothing. */
  glasses: (chip, random) => glasses(chip, random, { rim: 2 + 2 * random(), opacity: 1 }),
  sunglasses: (chip, random) =>
    glasses(chip, random, { rim: Number.POSITIVE_INFINITY, opacity: 0.8 + 0.2 * random() }),
  mask: (chip, random) => {
    const top = NOSE.y - 8 + 10 * random()
    const isMask = (x: number, y: number) =>
      Math.abs(x - NOSE.x) < MASK_WIDTH && y > top + ((x - NOSE.x) / MASK_WIDTH) ** 2 * 8
    return paint(chip, isMask, { colour: colour(random, 255), opacity: 1 })
  },
  half: (chip, random) => {
    const [side, edge] = [random() < 0.5 ? 1 : -1, 16 * random() - 8]
    const isCovered = (x: number) => side * (x - NOSE.x - edge) > 0
    return paint(chip, isCovered, { colour: colour(random, 255), opacity: 1 })
  },
  movement: (chip, random) => {
    const [angle, length] = [Math.PI * random(), 12 + 10 * random()]
    return mixed(chip, Math.cos(angle) * length, Math.sin(angle) * length)
  },
} satisfies Record<string, Covering>

export type CoveringName = keyof typeof COVERINGS

/** Two ellipses before the eyes, painted from their outline to `rim` pixels inside it, and a bridge. */
function glasses(
  chip: Uint8Array,
  random: () => number,
  { rim, opacity }: { rim: number; opacity: number },
): Uint8Array {
  const [wide, high] = [12 + 6 * random(), 8 + 6 * random()]
  const isPart = (x: number, y: number) => {
    const [across, down] = [
      Math.min(Math.abs(x - LEFT_EYE.x), Math.abs(x - RIGHT_EYE.x)),
      Math.abs(y - LEFT_EYE.y),
    ]
    const radius = Math.hypot(across / wide, down / high)
    const isBridge = x > LEFT_EYE.x + wide && x < RIGHT_EYE.x - wide && down < 3
    return isBridge || (radius < 1 && (1 - radius) * Math.min(wide, high) < rim)
  }
  return paint(chip, isPart, { colour: colour(random, 70), opacity })
}

const colour = (random: () => number, brightest: number) =>
  [random(), random(), random()].map(share => brightest * share)

const rasterOf = (data: Uint8Array) => ({ data, width: size, height: size })

function paint(
  chip: Uint8Array,
  isCovered: (x: number, y: number) => boolean,
  { colour, opacity }: { colour: readonly number[]; opacity: number },
): Uint8Array {
  return changed(rasterOf(chip), (value, x, y, channel) =>
    isCovered(x, y) ? value * (1 - opacity) + colour[channel]! * opacity : value,
  ).data
}

/** Each pixel is the mean along a line of this extent. */
function mixed(chip: Uint8Array, wide: number, high: number): Uint8Array {
  const inside = (at: number) => Math.max(0, Math.min(size - 1, Math.round(at)))
  return changed(rasterOf(chip), (_, x, y, channel) => {
    let sum = 0
    for (let step = 0; step < STEPS; step++) {
      const part = step / (STEPS - 1) - 0.5
      sum += chip[(inside(y + part * high) * size + inside(x + part * wide)) * 3 + channel]!
    }
    return sum / STEPS
  }).data
}

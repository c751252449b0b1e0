/** Degrades portraits in one way each, as cameras do under bad conditions. */
import sharp from 'sharp'
import { type Box, height, width } from '#contract/model/bbox.ts'
import { seededRandom } from '#core/vector-store/index/seeded-random.ts'
import type { Raster } from '#wasm/imaging/orientation.ts'
import { normal } from '../../statistics.ts'
import { pixelsOf } from './analysis.ts'

/** A picture, the box of its face, and reproducible random numbers 0..1. */
interface Subject extends Raster {
  readonly face: Box
  readonly random: () => number
}

/** Applies the degradation. Severity is 0 (no effect) to 1 (unusable). */
type Degradation = (subject: Subject, severity: number) => Raster | Promise<Raster>

/**
 * Maximum blur: standard deviation as a fraction of the face's width. Maximum noise: standard deviation in pixel
 * levels.
 */
const MOST_BLUR = 0.07
const MOST_NOISE = 80
/** Remaining light at maximum severity, and standard deviation of the sensor noise in levels. */
const LEAST_LIGHT = 0.03
const SENSOR_NOISE = 4
/** Covered fraction of the face's box at maximum severity. */
const MOST_COVERED = 0.65
/** Yaw of the head at maximum severity, in degrees. */
const MOST_YAW = 65
/** Width of the face at maximum severity, as a fraction of the original width. */
const LEAST_SIZE = 0.15

export const DEGRADATIONS = { blur, noise, darkness, occlusion, pose, size } satisfies Record<
  string,
  Degradation
>

export type DegradationName = keyof typeof DEGRADATIONS

/** The picture degraded in one way, as JPEG. Equal seeds give equal pictures. */
export async function degraded(
  picture: Raster & { readonly face: Box },
  name: DegradationName,
  severity: number,
  seed: number,
): Promise<Uint8Array> {
  const { data, width, height } = await DEGRADATIONS[name](
    { ...picture, random: seededRandom(seed) },
    severity,
  )
  return new Uint8Array(await image({ data, width, height }).jpeg({ quality: 92 }).toBuffer())
}

async function blur(subject: Subject, severity: number): Promise<Raster> {
  const sigma = Math.max(0.3, severity * MOST_BLUR * width(subject.face))
  return { ...subject, data: new Uint8Array(await image(subject).blur(sigma).raw().toBuffer()) }
}

function noise({ random, ...subject }: Subject, severity: number): Raster {
  return changed(subject, value => value + severity * MOST_NOISE * normal(random))
}

function darkness({ random, ...subject }: Subject, severity: number): Raster {
  const light = 1 - severity * (1 - LEAST_LIGHT)
  return changed(subject, value => value * light + SENSOR_NOISE * normal(random))
}

/** A plain patch over the lower, upper, left or right part of the face, as a mask, a cap or a hand. */
function occlusion({ random, face, ...subject }: Subject, severity: number): Raster {
  const part = severity * MOST_COVERED
  const side = Math.floor(random() * 4)
  const covered = {
    x1: side === 3 ? face.x2 - part * width(face) : face.x1,
    x2: side === 2 ? face.x1 + part * width(face) : face.x2,
    y1: side === 0 ? face.y2 - part * height(face) : face.y1,
    y2: side === 1 ? face.y1 + part * height(face) : face.y2,
  }
  const colour = [random(), random(), random()].map(share => 255 * share)
  return changed(subject, (value, x, y, channel) =>
    x >= covered.x1 && x < covered.x2 && y >= covered.y1 && y < covered.y2 ? colour[channel]! : value,
  )
}

/**
 * Models the head as an upright cylinder and rotates it to either side: the near half widens, the far half becomes
 * hidden.
 */
function pose({ random, face, ...subject }: Subject, severity: number): Raster {
  const yaw = (severity * MOST_YAW * Math.PI * (random() < 0.5 ? -1 : 1)) / 180
  const centre = (face.x1 + face.x2) / 2
  const radius = 0.62 * width(face)
  return changed(subject, (value, x, y, channel) => {
    const offset = (x + 0.5 - centre) / radius
    if (Math.abs(offset) >= 1) return value
    // The source angle of this column on the rotated cylinder. Hidden parts repeat the edge.
    const angle = Math.max(-Math.PI / 2, Math.min(Math.PI / 2, Math.asin(offset) - yaw))
    return between(subject, centre + radius * Math.sin(angle) - 0.5, y, channel)
  })
}

/** The picture, shrunk and enlarged again. */
async function size(subject: Subject, severity: number): Promise<Raster> {
  const scale = 1 - severity * (1 - LEAST_SIZE)
  const smaller = image(subject)
    .resize(Math.round(subject.width * scale))
    .png()
  return pixelsOf(sharp(await smaller.toBuffer()).resize(subject.width, subject.height))
}

const image = ({ data, width, height }: Raster) => sharp(data, { raw: { width, height, channels: 3 } })

/** Maps each channel of each pixel. */
export function changed<P extends Raster>(
  pixels: P,
  change: (value: number, x: number, y: number, channel: number) => number,
): Raster {
  const data = new Uint8Array(pixels.data.length)
  for (let i = 0; i < data.length; i++) {
    const pixel = Math.floor(i / 3)
    const x = pixel % pixels.width
    const value = change(pixels.data[i]!, x, (pixel - x) / pixels.width, i % 3)
    data[i] = Math.max(0, Math.min(255, Math.round(value)))
  }
  return { data, width: pixels.width, height: pixels.height }
}

/** Interpolates a channel between two pixels of a row. */
function between({ data, width }: Raster, x: number, y: number, channel: number) {
  const left = Math.max(0, Math.min(width - 2, Math.floor(x)))
  const share = Math.max(0, Math.min(1, x - left))
  const at = (y * width + left) * 3 + channel
  return data[at]! * (1 - share) + data[at + 3]! * share
}

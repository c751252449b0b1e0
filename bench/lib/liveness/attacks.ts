/** Simulates presentation attacks: screens, prints and cut-outs in front of a camera, and copies of the file. */
import sharp from 'sharp'
import { type Box, height, width } from '#contract/model/bbox.ts'
import { centreOf } from '#wasm/imaging/geometry.ts'
import type { Raster } from '#wasm/imaging/image.ts'
import { type Camera, type Light, lightAt, type Plane, recaptured } from './recapture.ts'

/** A photo of a person, the face's box, the background of the attack, and reproducible random numbers 0..1. */
interface Victim extends Raster {
  readonly face: Box
  readonly background: Raster
  readonly random: () => number
}

/** Returns the picture that the camera takes; for copies, the file that the service receives. */
type Attack = (victim: Victim) => Promise<Uint8Array>

/** Size of the camera's picture in pixels: an upright phone. */
export const PICTURE = { width: 360, height: 480 }

/** Height of the face, as a fraction of the picture's height. */
const FACE_HEIGHT = 0.36

/** Attacks by name: instrument, then presentation. */
export const ATTACKS: Readonly<Record<string, Attack>> = {
  'screen, bezel in sight': v =>
    taken(v, bordered(screen(v, 1.2), 0.06, [0.01, 0.01, 0.012]), { fills: 'whole' }),
  'screen, close': v => taken(v, endless(screen(v, 1.2)), {}),
  'screen, fine, close': v => taken(v, endless(fineScreen(v)), { blur: 0.8 }),
  'screen, low-resolution picture': async v => taken(v, endless(screen(await shrunk(v, 64), 1.2)), {}),
  'print, border in sight': v => taken(v, bordered(print(v), 0.08, [0.85, 0.84, 0.8]), { fills: 'whole' }),
  'print, edges in sight': v => taken(v, edged(print(v)), {}),
  'print, close': v => taken(v, endless(print(v)), {}),
  'print, bent': v => taken(v, edged(bent(print(v))), {}),
  'print, glossy': v => taken(v, endless(glossy(print(v), v)), { blur: 0.6 }),
  'cut-out': v => taken(v, cutOut(print(v), v.face), {}),
  'cut-out with holes for the eyes': v => taken(v, eyeHoles(cutOut(print(v), v.face), v), {}),
  'any of these, encoded badly': v =>
    taken(v, endless(v.random() < 0.5 ? screen(v, 1.2) : print(v)), { quality: 25 }),
  'copy, downscaled': async v => jpegOf(await shrunk(v, 64), 90),
  'copy, encoded again': v => jpegOf(v, 40),
}

/**
 * Attacks without a camera. An injected file is no presentation attack, and its content does not differ from the
 * photo's.
 */
export const COPIES: readonly string[] = ['copy, downscaled', 'copy, encoded again']

interface Taking extends Partial<Pick<Camera, 'blur' | 'quality'>> {
  /** `whole`: the instrument is visible with its edges. Otherwise the face has the size of a live person's face. */
  readonly fills?: 'whole'
}

function taken(
  victim: Victim,
  plane: Plane & { origin?: number },
  { fills, blur = 0.5, quality = 88 }: Taking,
) {
  const { face, random } = victim
  const spread = (most: number) => most * (2 * random() - 1)
  const origin = plane.origin ?? 0
  const centre = centreOf(face)
  const whole = Math.min(0.9, (0.9 * PICTURE.width * plane.height) / (plane.width * PICTURE.height))
  return recaptured(plane, victim.background, {
    ...PICTURE,
    fills: fills ? whole : (FACE_HEIGHT * plane.height) / height(face),
    at: fills ? [0.5, 0.5] : [(centre.x + origin) / plane.width, (centre.y + origin) / plane.height],
    roll: spread(4),
    yaw: spread(15),
    pitch: spread(10),
    blur,
    noise: 2 + 2 * random(),
    quality,
    random,
  })
}

/** Stripes of red, green and blue with dark gaps and a bluish backlight; `density` screen pixels per camera pixel. */
function screen(victim: Victim, density: number): Plane {
  const pitch = (PICTURE.height * FACE_HEIGHT * density) / height(victim.face)
  const glare = victim.random() * 0.04
  return {
    ...sizeOf(victim),
    light(u, v) {
      const across = u * pitch
      const [column, row] = [across - Math.floor(across), v * pitch - Math.floor(v * pitch)]
      const shown = lightAt(victim, (Math.floor(across) + 0.5) / pitch, (Math.floor(v * pitch) + 0.5) / pitch)
      const lit = row < 0.85 ? 1 / 0.85 : 0
      const stripe = Math.min(2, Math.floor(column * 3))
      const one = (c: number, tint: number) =>
        0.9 * tint * (shown[c]! + 0.004) * (c === stripe ? 3 * lit : 0) + glare
      return [one(0, 0.93), one(1, 1), one(2, 1.08)]
    },
  }
}

/** A screen with pixels below the camera's resolution. Only its backlight and glare differ from a live person. */
function fineScreen(victim: Victim): Plane {
  const glare = victim.random() * 0.04
  const tints = [0.93, 1, 1.08]
  const one = (shown: Light, c: number) => 0.9 * tints[c]! * (shown[c]! + 0.004) + glare
  return {
    ...sizeOf(victim),
    light(u, v) {
      const shown = lightAt(victim, u, v)
      return [one(shown, 0), one(shown, 1), one(shown, 2)]
    },
  }
}

/** Ink on matt paper: no deep black, pale colours, ink dots and paper fibres. */
function print(victim: Victim): Plane {
  const { random } = victim
  const fibres = noiseTile(random, 256)
  const dots = (PICTURE.height * FACE_HEIGHT * 1.6) / height(victim.face)
  const lamp = 0.75 + 0.25 * random()
  return {
    ...sizeOf(victim),
    light(u, v) {
      const shown = lightAt(victim, u, v)
      const grey = (shown[0] + shown[1] + shown[2]) / 3
      const paper =
        1 + 0.06 * fibres(u * dots * 0.7, v * dots * 0.7) + 0.04 * fibres(u * dots * 3, v * dots * 3)
      const grain = 0.12 * Math.sqrt(grey) * fibres(u * dots * 5 + 97, v * dots * 5 + 31)
      const one = (c: number) =>
        lamp * paper * Math.max(0.02, 0.03 + 0.8 * (0.75 * shown[c]! + 0.25 * grey) + grain * 0.3)
      return [one(0), one(1), one(2)]
    },
  }
}

/** The plane, with nothing outside. */
const edged = (plane: Plane): Plane => ({
  ...plane,
  light: (u, v) => (u >= 0 && v >= 0 && u < plane.width && v < plane.height ? plane.light(u, v) : undefined),
})

/** A plane larger than the view: beyond its edges it continues as its mirror image. */
function endless(plane: Plane): Plane {
  const folded = (at: number, length: number) => length - Math.abs(length - (Math.abs(at) % (2 * length)))
  return { ...plane, light: (u, v) => plane.light(folded(u, plane.width), folded(v, plane.height)) }
}

/** The plane with a border around it, as a fraction of its width. */
function bordered(plane: Plane, part: number, colour: Light): Plane & { origin: number } {
  const origin = part * plane.width
  const inner = edged(plane)
  const outer = edged({
    width: plane.width + 2 * origin,
    height: plane.height + 2 * origin,
    light: (u, v) => inner.light(u - origin, v - origin) ?? colour,
  })
  return { ...outer, origin }
}

/** The plane bent about a vertical axis like a head: its sides are farther away, narrower and darker. */
const bent = (plane: Plane): Plane => ({
  ...plane,
  light(u, v) {
    const offset = Math.max(-1, Math.min(1, (2 * u) / plane.width - 1))
    const shown = plane.light(((Math.asin(0.9 * offset) / Math.asin(0.9) + 1) / 2) * plane.width * 0.999, v)
    return shown && times(shown, Math.sqrt(1 - (0.9 * offset) ** 2) ** 0.7)
  },
})

/** Adds the reflection of a lamp next to the face's centre. */
function glossy(plane: Plane, { face, random }: Victim): Plane {
  const centre = centreOf(face)
  const [x, y] = [centre.x + (random() - 0.5) * 2 * width(face), centre.y - random() * height(face)]
  const spread = 0.25 * width(face)
  return {
    ...plane,
    light(u, v) {
      const shown = plane.light(u, v)
      const mirrored = 0.5 * Math.exp(-((u - x) ** 2 + (v - y) ** 2) / (2 * spread ** 2))
      return shown && [shown[0] + mirrored, shown[1] + mirrored, shown[2] + mirrored]
    },
  }
}

/** Cut out along the head: an ellipse around the face that contains brow and chin. */
function cutOut(plane: Plane, face: Box): Plane {
  const { x, y } = centreOf(face)
  const [across, down] = [0.68 * width(face), 0.78 * height(face)]
  return {
    ...plane,
    light: (u, v) =>
      ((u - x) / across) ** 2 + ((v - y + 0.08 * height(face)) / down) ** 2 <= 1
        ? plane.light(u, v)
        : undefined,
  }
}

/** Live eyes look through holes: in the holes the photo shows unchanged. */
function eyeHoles(plane: Plane, victim: Victim): Plane {
  const { x, y } = centreOf(victim.face)
  const [w, h] = [width(victim.face), height(victim.face)]
  const isHole = (u: number, v: number) =>
    [-0.2, 0.2].some(
      side => ((u - x - side * w) / (0.13 * w)) ** 2 + ((v - y + 0.12 * h) / (0.07 * h)) ** 2 <= 1,
    )
  return {
    ...plane,
    light: (u, v) => (isHole(u, v) ? times(lightAt(victim, u, v), 0.8) : plane.light(u, v)),
  }
}

const times = ([r, g, b]: Light, factor: number): Light => [r * factor, g * factor, b * factor]

const sizeOf = ({ width, height }: Raster) => ({ width, height })

/** Smooth noise with mean 0 and standard deviation of about 1 that repeats every `side` steps. */
function noiseTile(random: () => number, side: number): (u: number, v: number) => number {
  const values = Float32Array.from({ length: side * side }, () => 3.4 * (random() - 0.5))
  const value = (x: number, y: number) =>
    values[(((y % side) + side) % side) * side + (((x % side) + side) % side)]!
  return (u, v) => {
    const [x, y] = [Math.floor(u), Math.floor(v)]
    const [right, below] = [u - x, v - y]
    return (
      (value(x, y) * (1 - right) + value(x + 1, y) * right) * (1 - below) +
      (value(x, y + 1) * (1 - right) + value(x + 1, y + 1) * right) * below
    )
  }
}

/** The photo reduced to this many pixels across the face, then enlarged to its original size. */
async function shrunk<V extends Victim>(victim: V, across: number): Promise<V> {
  const small = await image(victim)
    .resize(Math.max(1, Math.round((victim.width * across) / width(victim.face))))
    .png()
    .toBuffer()
  const data = await sharp(small).resize(victim.width, victim.height, { fit: 'fill' }).raw().toBuffer()
  return { ...victim, data: new Uint8Array(data) }
}

const jpegOf = async (pixels: Raster, quality: number): Promise<Uint8Array> =>
  new Uint8Array(await image(pixels).jpeg({ quality }).toBuffer())

const image = ({ data, width, height }: Raster) => sharp(data, { raw: { width, height, channels: 3 } })

/** A simulated camera before a flat thing that shows a face: perspective, optics, light, noise and JPEG. */
import sharp from 'sharp'
import type { Pixels } from '../faces/degrade.ts'

/** Light of red, green and blue, linear: 1 is white paper in full light. */
export type Light = readonly [number, number, number]

/** A flat thing of this size, in pixels of the photo that it shows. `light` is undefined where there is none of it. */
export interface Plane {
  readonly width: number
  readonly height: number
  light(u: number, v: number): Light | undefined
}

export interface Camera {
  /** Pixels of the picture that it takes. */
  readonly width: number
  readonly height: number
  /** Height of the plane on the picture, of the picture's; more than 1 when only a part is in sight. */
  readonly fills: number
  /** Where on the plane the middle of the picture is, in parts of it; degrees by which the plane is turned and leans. */
  readonly at: readonly [number, number]
  readonly roll: number
  readonly yaw: number
  readonly pitch: number
  /** Standard deviation of the optics' blur, in pixels, and of the sensor's noise, in levels. */
  readonly blur: number
  readonly noise: number
  /** Of the file. */
  readonly quality: number
  readonly random: () => number
}

/** Samples of a camera pixel, each way: gratings finer than a pixel alias as they do on a sensor with gaps. */
const SAMPLES = 3
/** The part of a pixel's side that is sensitive. */
const APERTURE = 0.8

/** How far the camera is from the plane, in heights of the picture: perspective. */
const DISTANCE = 2.5

/** The picture that the camera takes of the plane before a background of the same size. */
export async function recaptured(plane: Plane, background: Pixels, camera: Camera): Promise<Uint8Array> {
  const { width, height } = camera
  const toPlane = viewOf(plane, camera)
  const data = new Uint8Array(width * height * 3)
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++, at += 3) {
      const sum = [0, 0, 0]
      for (let i = 0; i < SAMPLES ** 2; i++) {
        const offset = (n: number) => 0.5 + ((n + 0.5) / SAMPLES - 0.5) * APERTURE
        const [u, v] = toPlane(x + offset(i % SAMPLES), y + offset(Math.floor(i / SAMPLES)))
        const seen = plane.light(u, v)
        for (let c = 0; c < 3; c++) sum[c]! += seen ? seen[c]! : linear(background.data[at + c]!)
      }
      for (let c = 0; c < 3; c++) data[at + c] = encoded(sum[c]! / SAMPLES ** 2)
    }
  const blurred = await sharp(data, { raw: { width, height, channels: 3 } })
    .blur(Math.max(0.3, camera.blur))
    .raw()
    .toBuffer()
  for (let i = 0; i < data.length; i++) data[i] = clamp(blurred[i]! + camera.noise * normal(camera.random))
  const file = sharp(data, { raw: { width, height, channels: 3 } }).jpeg({ quality: camera.quality })
  return new Uint8Array(await file.toBuffer())
}

/** Where on the plane a place of the picture looks: a pinhole camera, and a plane that turns about its middle. */
function viewOf(plane: Plane, { width, height, fills, at, roll, yaw, pitch }: Camera) {
  const scale = plane.height / (fills * height)
  const [r, a, b] = [roll, yaw, pitch].map(degrees => (degrees * Math.PI) / 180) as [number, number, number]
  const distance = DISTANCE * height
  return (x: number, y: number): [number, number] => {
    const [dx, dy] = [x - width / 2, y - height / 2]
    const [tx, ty] = [dx * Math.cos(r) + dy * Math.sin(r), dy * Math.cos(r) - dx * Math.sin(r)]
    const far = distance / (distance - tx * Math.tan(a) - ty * Math.tan(b))
    return [
      at[0] * plane.width + (tx / Math.cos(a)) * far * scale,
      at[1] * plane.height + (ty / Math.cos(b)) * far * scale,
    ]
  }
}

/** sRGB's 256 levels as light, and light as a level. Source: IEC 61966-2-1. */
const LEVELS = Float64Array.from({ length: 256 }, (_, level) => {
  const value = level / 255
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
})

export const linear = (level: number): number => LEVELS[level]!

const encoded = (light: number): number =>
  clamp(255 * (light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055))

const clamp = (value: number): number => Math.max(0, Math.min(255, Math.round(value)))

/** Normally distributed, of standard deviation 1 (Box and Muller). */
export const normal = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())

/** The photo's light between its pixels. */
export function lightAt({ data, width, height }: Pixels, u: number, v: number): [number, number, number] {
  const x = Math.max(0, Math.min(width - 1.001, u - 0.5))
  const y = Math.max(0, Math.min(height - 1.001, v - 0.5))
  const [left, top] = [Math.floor(x), Math.floor(y)]
  const [right, below] = [x - left, y - top]
  const at = (top * width + left) * 3
  const row = width * 3
  const one = (c: number) =>
    (linear(data[at + c]!) * (1 - right) + linear(data[at + 3 + c]!) * right) * (1 - below) +
    (linear(data[at + row + c]!) * (1 - right) + linear(data[at + row + 3 + c]!) * right) * below
  return [one(0), one(1), one(2)]
}

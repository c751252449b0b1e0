/** Simulates a camera in front of a flat presentation instrument: perspective, optics, light, noise and JPEG. */
import sharp from 'sharp'
import type { Raster } from '#wasm/imaging/image.ts'
import { normal } from '../../statistics.ts'

/** Linear light of red, green and blue; 1 is white paper in full light. */
export type Light = readonly [number, number, number]

/** A flat instrument. Its size is in pixels of the photo that it shows. `light` is undefined outside it. */
export interface Plane {
  readonly width: number
  readonly height: number
  light(u: number, v: number): Light | undefined
}

export interface Camera {
  /** Size of the picture that it takes, in pixels. */
  readonly width: number
  readonly height: number
  /** Height of the plane on the picture, as a fraction of the picture's height; above 1 when only a part is visible. */
  readonly fills: number
  /**
   * Position of the picture's centre on the plane, as fractions of the plane; roll, yaw and pitch of the plane in
   * degrees.
   */
  readonly at: readonly [number, number]
  readonly roll: number
  readonly yaw: number
  readonly pitch: number
  /** Standard deviation of the optical blur in pixels, and of the sensor noise in levels. */
  readonly blur: number
  readonly noise: number
  /** JPEG quality of the file. */
  readonly quality: number
  readonly random: () => number
}

/** Samples per camera pixel along a side. Gratings finer than a pixel alias as on a sensor with gaps. */
const SAMPLES = 3
/** Light-sensitive fraction of a pixel's side. */
const APERTURE = 0.8

/** Distance of the camera from the plane, in picture heights. It determines the perspective. */
const DISTANCE = 2.5

/** The camera's picture of the plane in front of a background of the same size. */
export async function recaptured(plane: Plane, background: Raster, camera: Camera): Promise<Uint8Array> {
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

/** Maps a point of the picture to the plane: a pinhole camera, and a plane rotated about its centre. */
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

/** Linear light of sRGB's 256 levels, and the inverse. Source: IEC 61966-2-1. */
const LEVELS = Float64Array.from({ length: 256 }, (_, level) => {
  const value = level / 255
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
})

export const linear = (level: number): number => LEVELS[level]!

const encoded = (light: number): number =>
  clamp(255 * (light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055))

const clamp = (value: number): number => Math.max(0, Math.min(255, Math.round(value)))

/** Linear light of the photo, interpolated between pixels. */
export function lightAt({ data, width, height }: Raster, u: number, v: number): [number, number, number] {
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

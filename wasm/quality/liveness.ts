/** Presentation attack detection: tells a live face from a print or a screen. */
import { type Box, height, width } from '../../contract/model/bbox.ts'
import type { LivenessModel } from '../../models/manifest.ts'
import { runOn } from '../detectors/tiling.ts'
import { centreOf, type Size } from '../imaging/geometry.ts'
import type { Photo } from '../imaging/orientation.ts'
import type { Runtime } from '../runtime/runtime.ts'

/** Probability that the face in this box is live: 0..1, four decimals. `box` is in upright pixels of the photo. */
export type Liveness = (photo: Photo, box: Box) => Promise<number>

/** Loads the network. */
export async function openLiveness(
  runtime: Runtime,
  bytes: Uint8Array,
  { input, output, size, around, live }: LivenessModel,
): Promise<Liveness> {
  const session = await runtime.session(bytes)
  return async (photo, box) => {
    const shown = livenessCrop(photo, box, around)
    const toUpright = [width(shown) / size, 0, shown.x1, 0, height(shown) / size, shown.y1] as const
    const outputs = await runOn(session, input, photo, { width: size, height: size, toUpright })
    return Number(softmax(outputs[output]!)[live]!.toFixed(4))
  }
}

/**
 * The box enlarged by `around` about its centre, less if the photo is smaller, and shifted onto the photo. The
 * network was trained on these crops. Source: minivision-ai/Silent-Face-Anti-Spoofing, src/generate_patches.py.
 */
export function livenessCrop(photo: Size, box: Box, around: number): Box {
  const scale = Math.min(around, photo.width / width(box), photo.height / height(box))
  const { x, y } = centreOf(box)
  const [x1, x2] = within(x, scale * width(box), photo.width)
  const [y1, y2] = within(y, scale * height(box), photo.height)
  return { x1, y1, x2, y2 }
}

/** The interval of this length around `middle`, shifted into 0..end. */
function within(middle: number, length: number, end: number): [number, number] {
  const first = Math.max(0, Math.min(middle - length / 2, end - length))
  return [first, first + length]
}

function softmax(values: Float32Array): number[] {
  const most = Math.max(...values)
  const powers = [...values].map(value => Math.exp(value - most))
  const sum = powers.reduce((total, power) => total + power, 0)
  return powers.map(power => power / sum)
}

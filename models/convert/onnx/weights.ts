/** Reads weights in TensorFlow.js format: a manifest of names, shapes and quantisation over one binary file. */
import * as z from 'zod'
import { Natural } from '../../../contract/scalars.ts'

const WeightSchema = z.object({
  name: z.string(),
  shape: z.array(Natural),
  dtype: z.enum(['float32', 'int32']),
  quantization: z.object({ dtype: z.literal('uint8'), scale: z.number(), min: z.number() }).optional(),
})

/** One entry per binary file. The packages used here have a single one. */
export const WeightsManifestSchema = z.array(z.object({ weights: z.array(WeightSchema) })).length(1)
type WeightsManifest = z.infer<typeof WeightsManifestSchema>

/** A tensor in its stored form. A quantised tensor stands for `data x scale + min`. */
export interface Weight {
  readonly shape: readonly number[]
  readonly data: Uint8Array | Float32Array | Int32Array
  readonly quantization?: { readonly scale: number; readonly min: number }
}

/** Returns the weight with this name. Throws when it does not exist. */
export type Weights = (name: string) => Weight

const count = (shape: readonly number[]) => shape.reduce((product, size) => product * size, 1)

/** Splits `bytes` into weights. They are stored in the manifest's order, little-endian. */
export function readWeights(manifest: WeightsManifest, bytes: Uint8Array): Weights {
  const weights = new Map<string, Weight>()
  let at = 0
  for (const { name, shape, dtype, quantization } of manifest.flatMap(group => group.weights)) {
    const length = count(shape) * (quantization ? 1 : 4)
    const stored = bytes.slice(at, at + length)
    at += length
    if (quantization) weights.set(name, { shape, data: stored, quantization })
    else if (dtype === 'float32') weights.set(name, { shape, data: new Float32Array(stored.buffer) })
    else weights.set(name, { shape, data: new Int32Array(stored.buffer) })
  }
  if (at !== bytes.length) throw new Error(`the weights take ${at} bytes, the file has ${bytes.length}`)
  return name => {
    const weight = weights.get(name)
    if (!weight) throw new Error(`there is no weight ${name}`)
    return weight
  }
}

/** The values of the weight, dequantised. */
export function values({ data, quantization }: Weight): Float32Array {
  if (!quantization) return Float32Array.from(data)
  return Float32Array.from(data, value => value * quantization.scale + quantization.min)
}

/** The same weight with permuted axes: axis `i` of the result is axis `order[i]` of the weight. */
export function transposeWeight(weight: Weight, order: readonly number[]): Weight {
  const { shape, data } = weight
  const strides = shape.map((_, axis) => count(shape.slice(axis + 1)))
  const target = order.map(axis => shape[axis]!)
  const moved = data.slice()
  const index = target.map(() => 0)
  for (let to = 0; to < moved.length; to++) {
    let from = 0
    for (const [place, axis] of order.entries()) from += index[place]! * strides[axis]!
    moved[to] = data[from]!
    advance(index, target)
  }
  return { ...weight, shape: target, data: moved }
}

/** Increments `index`, the last place fastest. */
function advance(index: number[], shape: readonly number[]) {
  for (let place = index.length - 1; place >= 0; place--) {
    index[place] = index[place]! + 1
    if (index[place]! < shape[place]!) return
    index[place] = 0
  }
}

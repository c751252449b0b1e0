/** Views of upright photos, in any size and rotation: the only sampler between rasters and networks. */
import { kernelModule } from '#kernels'
import { instantiateKernels, type Kernels } from '../kernels/kernels.ts'
import { BoxAverage } from './box-average.ts'
import type { Affine, Size } from './geometry.ts'
import { compose, type Photo, type Raster, storedSize, uprightToRaster } from './orientation.ts'

/** Content of a view outside the photo: all bytes of its pixels, or -1 for the nearest edge. Grey is the middle of the 256 levels. */
const OUTSIDE = { black: 0, grey: 128, continued: -1 } as const
type Outside = keyof typeof OUTSIDE

/** Shrink factor up to which bilinear sampling does not alias. Above it, the raster is averaged down first. */
const BILINEAR_REACH = 2

/** Shrink factor from which warpSmoothly takes several samples for a pixel. */
const SMOOTH_REACH = 1.2

/**
 * A `width` x `height` view of the upright photo: RGB, three bytes per pixel. `targetToUpright` maps target
 * coordinates to the photo. Target pixels with their centre outside the photo are black or grey; with `continued`, they
 * repeat the photo's nearest edge.
 * Sampling is bilinear. If the map shrinks, the raster is first averaged down, which prevents aliasing.
 */
export function warp(
  photo: Photo,
  targetToUpright: Affine,
  width: number,
  height: number,
  outside: Outside = 'black',
): Uint8Array {
  const toRaster = compose(uprightToRaster(photo), targetToUpright)
  const shrink = shrinkOf(toRaster)
  const target = { width, height }
  const source = { raster: photo.raster, extent: extentOf(photo) }
  if (shrink < BILINEAR_REACH) return sampleView(source, toRaster, target, outside)
  const smaller = reduced(photo, shrink)
  if (smaller !== photo) return warp(smaller, targetToUpright, width, height, outside)
  const factor = Math.floor(shrink)
  const visible = visiblePart(photo.raster, toRaster, target, factor)
  if (!hasPixels(visible)) return emptyView(target, outside)
  const raster = averaged(photo.raster, visible, factor)
  const extent = {
    width: Math.min(visible.width, source.extent.width - visible.x) / factor,
    height: Math.min(visible.height, source.extent.height - visible.y) / factor,
  }
  const toReduced: Affine = [1 / factor, 0, -visible.x / factor, 0, 1 / factor, -visible.y / factor]
  return sampleView({ raster, extent }, compose(toReduced, toRaster), target, outside)
}

/**
 * Like warp, outside grey, for many small views of one photo. Each pixel is the mean of the covered pixels: networks that depend on
 * fine differences need all pixels.
 */
export function warpSmoothly(
  photo: Photo,
  targetToUpright: Affine,
  width: number,
  height: number,
): Uint8Array {
  const shrink = shrinkOf(targetToUpright)
  const smaller = reduced(photo, shrink / photo.step)
  if (shrink / smaller.step < SMOOTH_REACH) return warp(smaller, targetToUpright, width, height, 'grey')
  const [a, b, c, d, e, f] = targetToUpright
  const twice = warp(smaller, [a / 2, b / 2, c, d / 2, e / 2, f], 2 * width, 2 * height, 'grey')
  return halved({ data: twice, width: 2 * width, height: 2 * height }).data
}

/** Source pixels per target pixel, along the side that shrinks more. */
const shrinkOf = ([a, b, , d, e]: Affine) => Math.max(Math.hypot(a, d), Math.hypot(b, e))

/** The part of the raster that shows the photo. If the last pixels cover less than a step, it ends inside them. */
function extentOf(photo: Photo): Size {
  const { width, height } = storedSize(photo)
  return { width: width / photo.step, height: height / photo.step }
}

/**
 * Pixels of a raster that is kept at half its size, at most. A larger one is kept from a quarter on, which takes a sixteenth of its
 * memory.
 */
const MOST_HALVED = 1_000_000

/** Keeps half of a raster of any size, for many views of all of it. */
export function halveWhole(raster: Raster): void {
  HALVED_RASTERS.set(raster, [raster])
}

/** A raster at each halving of its size, kept as long as it is. It stands itself for a size that is not kept. */
const HALVED_RASTERS = new WeakMap<Raster, Raster[]>()

/** The photo on a raster that is halved as often as it can be for views that shrink by this factor. */
function reduced(photo: Photo, shrink: number): Photo {
  const { raster, step } = photo
  const level = Math.floor(Math.log2(shrink))
  // The negated form counts NaN as no reduction. Nothing shrinks a small raster further than to a pixel.
  if (!(level >= 1 && level < 32)) return photo
  const isLarge = raster.width * raster.height > MOST_HALVED
  const rasters = HALVED_RASTERS.get(raster) ?? (isLarge ? [raster, raster] : [raster])
  HALVED_RASTERS.set(raster, rasters)
  while (rasters.length <= level) {
    const last = rasters.at(-1)!
    rasters.push(last === raster && rasters.length === 2 ? quartered(last) : halved(last))
  }
  const smaller = rasters[level]!
  return smaller === raster ? photo : { ...photo, raster: smaller, step: step * 2 ** level }
}

/** Memory of the kernels. It grows to the need of the largest view. */
const memory = new WebAssembly.Memory({ initial: 16 })
const WASM_PAGE_BYTES = 65_536

let kernels: Kernels | undefined

/** The kernels, with at least this memory. */
function kernelsOver(bytes: number): { kernels: Kernels; at: Uint8Array } {
  const missing = bytes - memory.buffer.byteLength
  if (missing > 0) memory.grow(Math.ceil(missing / WASM_PAGE_BYTES))
  kernels ??= instantiateKernels(kernelModule(), memory)
  return { kernels, at: new Uint8Array(memory.buffer) }
}

/** Bytes behind a source that the kernels read. */
const READ_BEHIND = 8

/** Each 2 x 2 block averaged into one pixel. */
function halved({ data, width, height }: Raster): Raster {
  const half = { width: Math.ceil(width / 2), height: Math.ceil(height / 2) }
  const target = data.length + READ_BEHIND
  const { kernels, at } = kernelsOver(target + bytesOf(half))
  at.set(data)
  kernels.halve(0, width, height, target)
  return { data: at.slice(target, target + bytesOf(half)), ...half }
}

/** Rows that are halved at a time: the kernels hold no large raster. */
const QUARTERED_ROWS = 64

/** Halved twice. */
function quartered({ data, width, height }: Raster): Raster {
  const quarter = { width: Math.ceil(width / 4), height: Math.ceil(height / 4) }
  const target = new Uint8Array(bytesOf(quarter))
  for (let top = 0; top < height; top += QUARTERED_ROWS) {
    const rows = Math.min(QUARTERED_ROWS, height - top)
    const strip = { data: data.subarray(3 * width * top, 3 * width * (top + rows)), width, height: rows }
    target.set(halved(halved(strip)).data, (3 * quarter.width * top) / 4)
  }
  return { data: target, ...quarter }
}

/** A view of a raster. `extent` is the part of the raster that shows the photo. */
function sampleView(
  { raster, extent }: { raster: Raster; extent: Size },
  [a, b, c, d, e, f]: Affine,
  view: Size,
  outside: Outside,
): Uint8Array {
  const part = visiblePart(raster, [a, b, c, d, e, f], view, 1)
  if (outside === 'continued') {
    // The nearest column and row, if the view does not touch the raster.
    part.x = Math.min(part.x, raster.width - 1)
    part.y = Math.min(part.y, raster.height - 1)
    part.width = Math.max(1, part.width)
    part.height = Math.max(1, part.height)
  }
  if (!hasPixels(part)) return emptyView(view, outside)
  const target = bytesOf(part) + READ_BEHIND
  const { kernels, at } = kernelsOver(target + bytesOf(view))
  for (let row = 0; row < part.height; row++) {
    const from = 3 * ((part.y + row) * raster.width + part.x)
    at.set(raster.data.subarray(from, from + 3 * part.width), 3 * row * part.width)
  }
  const [across, down] = [extent.width - part.x, extent.height - part.y]
  const map = [a, b, c - part.x, d, e, f - part.y] as const
  const { width, height } = view
  kernels.sample(0, part.width, part.height, across, down, ...map, target, width, height, OUTSIDE[outside])
  return at.slice(target, target + bytesOf(view))
}

const bytesOf = ({ width, height }: Size) => 3 * width * height

const emptyView = (view: Size, outside: Outside): Uint8Array =>
  new Uint8Array(bytesOf(view)).fill(Math.max(0, OUTSIDE[outside]))

const hasPixels = ({ width, height }: Size) => width > 0 && height > 0

/** A rectangle of `width` x `height` raster pixels with its corner at x, y. */
interface Part {
  x: number
  y: number
  width: number
  height: number
}

/** The raster rectangle that the target covers, plus a margin of one block; it starts at multiples of the factor. */
function visiblePart(raster: Size, [a, b, c, d, e, f]: Affine, target: Size, factor: number): Part {
  const across = span([0, a * target.width, b * target.height, a * target.width + b * target.height], c)
  const down = span([0, d * target.width, e * target.height, d * target.width + e * target.height], f)
  const x = Math.max(0, Math.floor(across.from / factor) - 1) * factor
  const y = Math.max(0, Math.floor(down.from / factor) - 1) * factor
  return {
    x,
    y,
    width: Math.min(raster.width, Math.ceil(across.to) + factor) - x,
    height: Math.min(raster.height, Math.ceil(down.to) + factor) - y,
  }
}

const span = (steps: number[], origin: number) => ({
  from: origin + Math.min(...steps),
  to: origin + Math.max(...steps),
})

/** A rectangle of the raster, with each factor x factor block averaged into one pixel. */
function averaged({ data, width }: Raster, part: Part, factor: number): Raster {
  const average = new BoxAverage(part, {
    width: Math.ceil(part.width / factor),
    height: Math.ceil(part.height / factor),
    step: factor,
  })
  for (let y = part.y; y < part.y + part.height; y++) average.add(data, (y * width + part.x) * 3)
  return average.raster
}

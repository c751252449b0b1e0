/** Converts PNG samples of any bit depth and colour type to 8-bit RGB. Transparent pixels are composited on white. */
import type { PngHeader } from './png-header.ts'

/** The sample value of white: the background of transparent pixels, and the highest value. */
export const WHITE = 255

/** The PLTE and tRNS chunks; empty when absent. */
export interface PngPalette {
  readonly colours: Uint8Array
  readonly transparency: Uint8Array
}

/** Converts one unfiltered line to RGB. The next call overwrites the result. */
export type ToRgb = (line: Uint8Array, pixels: number) => Uint8Array

/** Creates the converter for this file's lines. Of 16-bit samples only the upper 8 bits are shown. */
export function toRgbOf(header: PngHeader, palette: PngPalette): ToRgb {
  const samples = new Uint8Array(header.width * header.colour.samples)
  const rgb = new Uint8Array(header.width * 3)
  const paint = painterOf(header, palette)
  return (line, pixels) => {
    paint(rgb, toBytes(header, line, pixels * header.colour.samples, samples), pixels)
    if (header.bitDepth === 16) whiten(rgb, line, pixels, header, palette)
    return rgb
  }
}

/** One byte per sample. Brightness is scaled to 0..255; palette indices are not. */
function toBytes(
  { bitDepth, colour }: PngHeader,
  line: Uint8Array,
  count: number,
  samples: Uint8Array,
): Uint8Array {
  if (bitDepth === 8) return line
  if (bitDepth === 16) {
    for (let i = 0; i < count; i++) samples[i] = line[2 * i]!
    return samples
  }
  const mask = 2 ** bitDepth - 1
  const stretch = colour.name === 'palette' ? 1 : WHITE / mask
  for (let i = 0; i < count; i++) {
    const bit = i * bitDepth
    samples[i] = ((line[bit >> 3]! >> (8 - bitDepth - (bit & 7))) & mask) * stretch
  }
  return samples
}

type Painter = (rgb: Uint8Array, samples: Uint8Array, pixels: number) => void

function painterOf(header: PngHeader, palette: PngPalette): Painter {
  switch (header.colour.name) {
    case 'grey':
      return greyPainter(transparentColour(header, palette)[0])
    case 'rgb':
      return rgbPainter(transparentColour(header, palette))
    case 'palette':
      return palettePainter(onWhite(palette))
    case 'grey-alpha':
      return paintGreyAlpha
    case 'rgb-alpha':
      return paintRgbAlpha
  }
}

/** Makes the pixels of a 16-bit line white that have the transparent colour: tRNS has their bytes. */
function whiten(
  rgb: Uint8Array,
  line: Uint8Array,
  pixels: number,
  { colour }: PngHeader,
  { transparency }: PngPalette,
): void {
  const size = 2 * colour.samples
  const hasAlpha = colour.name !== 'grey' && colour.name !== 'rgb'
  if (hasAlpha || transparency.length < size) return
  for (let i = 0; i < pixels; i++) {
    let same = 0
    while (same < size && line[i * size + same] === transparency[same]) same++
    if (same === size) paintGrey(rgb, i, WHITE)
  }
}

/** tRNS of grey and RGB files of up to 8 bits: the one transparent colour, two bytes per sample, in the file's bit depth. */
function transparentColour({ bitDepth, colour }: PngHeader, { transparency }: PngPalette): number[] {
  if (bitDepth === 16 || transparency.length < 2 * colour.samples) return []
  return Array.from({ length: colour.samples }, (_, sample) => {
    const value = (transparency[2 * sample]! << 8) | transparency[2 * sample + 1]!
    return (value * WHITE) / (2 ** bitDepth - 1)
  })
}

/** Sets pixel i. Three assignments are several times as fast as `fill`. */
function paintGrey(rgb: Uint8Array, i: number, grey: number): void {
  rgb[3 * i] = grey
  rgb[3 * i + 1] = grey
  rgb[3 * i + 2] = grey
}

const greyPainter =
  (transparent: number | undefined): Painter =>
  (rgb, samples, pixels) => {
    for (let i = 0; i < pixels; i++) paintGrey(rgb, i, samples[i] === transparent ? WHITE : samples[i]!)
  }

const rgbPainter =
  ([red, green, blue]: number[]): Painter =>
  (rgb, samples, pixels) => {
    rgb.set(samples.subarray(0, 3 * pixels))
    if (red === undefined) return
    for (let at = 0; at < 3 * pixels; at += 3) {
      if (rgb[at] === red && rgb[at + 1] === green && rgb[at + 2] === blue) rgb.fill(WHITE, at, at + 3)
    }
  }

/** The palette's 256 colours composited on white; black beyond the palette's end. */
function onWhite({ colours, transparency }: PngPalette): Uint8Array {
  const opaque = new Uint8Array(256 * 3)
  opaque.set(colours.subarray(0, opaque.length))
  for (let entry = 0; entry < Math.min(transparency.length, 256); entry++) {
    for (let at = 3 * entry; at < 3 * entry + 3; at++) opaque[at] = blend(opaque[at]!, transparency[entry]!)
  }
  return opaque
}

const palettePainter =
  (colours: Uint8Array): Painter =>
  (rgb, samples, pixels) => {
    for (let i = 0; i < pixels; i++) {
      const entry = 3 * samples[i]!
      rgb[3 * i] = colours[entry]!
      rgb[3 * i + 1] = colours[entry + 1]!
      rgb[3 * i + 2] = colours[entry + 2]!
    }
  }

const paintGreyAlpha: Painter = (rgb, samples, pixels) => {
  for (let i = 0; i < pixels; i++) paintGrey(rgb, i, blend(samples[2 * i]!, samples[2 * i + 1]!))
}

const paintRgbAlpha: Painter = (rgb, samples, pixels) => {
  for (let i = 0; i < pixels; i++) {
    const alpha = samples[4 * i + 3]!
    rgb[3 * i] = blend(samples[4 * i]!, alpha)
    rgb[3 * i + 1] = blend(samples[4 * i + 1]!, alpha)
    rgb[3 * i + 2] = blend(samples[4 * i + 2]!, alpha)
  }
}

/** Composites a sample with this opacity (0..255) on white, rounded. */
export const blend = (sample: number, alpha: number): number =>
  Math.trunc((sample * alpha + WHITE * (WHITE - alpha)) / WHITE + 0.5)

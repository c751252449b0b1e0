/** Draws boxes and labels on a copy of a photo. */
import sharp from 'sharp'
import type { Box } from '../../clients/typescript/src/index.ts'
import { markupText } from '../terminal/markup.ts'
import { pathOf } from '../terminal/paths.ts'

interface LabelledBox {
  box: Box
  label: string
}

/** Characters of a label that are drawn. A longer one would hide the neighbours. */
const LABEL_LENGTH = 40

/** Writes an upright copy of the photo with its boxes. Throws an Error for the operator if the file can't be written. */
export async function drawBoxes(photo: File, out: string, boxes: readonly LabelledBox[]): Promise<void> {
  const upright = sharp(await photo.arrayBuffer()).autoOrient()
  const { width, height } = (await upright.clone().toBuffer({ resolveWithObject: true })).info
  const svg = boxesSvg(width, height, boxes)
  const path = pathOf(out)
  await upright
    .composite([{ input: Buffer.from(svg) }])
    .toFile(path)
    .catch(cause => {
      throw new Error(`${path} can't be written.`, { cause })
    })
}

/** The boxes as an SVG picture of the photo's size. */
export function boxesSvg(width: number, height: number, boxes: readonly LabelledBox[]): string {
  const line = Math.max(2, Math.round(Math.max(width, height) / 400))
  const size = 8 * line
  const shapes = boxes.map(({ box: { x1, y1, x2, y2 }, label }) => {
    const baseline = y1 < 2 * size ? y2 + size + line : y1 - 2 * line
    const text = `x="${x1}" y="${baseline}" font-family="sans-serif" font-weight="bold" font-size="${size}"`
    const words = markupText([...label].slice(0, LABEL_LENGTH).join(''))
    return (
      `<rect x="${x1}" y="${y1}" width="${x2 - x1}" height="${y2 - y1}" fill="none" stroke="#ffd400" stroke-width="${line}"/>` +
      // The outline keeps the label legible on any background.
      `<text ${text} stroke="#000" stroke-width="${line}">${words}</text><text ${text} fill="#ffd400">${words}</text>`
    )
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${shapes.join('')}</svg>`
}

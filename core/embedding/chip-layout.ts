/** Formats and parses the chip layout that is stored with each normalized picture. */
import { type ChipModel, ChipSchema, DLIB_CHIP } from '../../models/manifest.ts'

/** The layout as text: template, size, and padding or margin; for example `dlib 150 0.25` or `arcface 144 16`. */
export const layoutText = (chip: ChipModel): string =>
  chip.template === 'dlib' ? `dlib ${chip.size} ${chip.padding}` : `arcface ${chip.size} ${chip.margin}`

/** Parses the result of layoutText. Chips without a layout, of earlier versions, are dlib's; undefined for other text. */
export function layoutOf(text: string | undefined): ChipModel | undefined {
  if (text === undefined) return DLIB_CHIP
  const [, template, size, margin] = /^(arcface|dlib) (\d+) (\d+(?:\.\d+)?)$/.exec(text) ?? []
  const around = template === 'dlib' ? { padding: Number(margin) } : { margin: Number(margin) }
  return ChipSchema.safeParse({ template, size: Number(size), ...around }).data
}

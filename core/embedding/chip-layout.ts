/** How the faces on stored chips lie, in a few words that are kept with each. */
import { type ChipModel, ChipSchema, DLIB_CHIP } from '../../models/manifest.ts'

/** Such as `dlib 150 0.25` or `arcface 144 16`. */
export const layoutText = (chip: ChipModel): string =>
  chip.template === 'dlib' ? `dlib ${chip.size} ${chip.padding}` : `arcface ${chip.size} ${chip.margin}`

/** What layoutText was given. Chips of before layouts were kept are dlib's; undefined for other words. */
export function layoutOf(text: string | undefined): ChipModel | undefined {
  if (text === undefined) return DLIB_CHIP
  const [, template, size, margin] = /^(arcface|dlib) (\d+) (\d+(?:\.\d+)?)$/.exec(text) ?? []
  const around = template === 'dlib' ? { padding: Number(margin) } : { margin: Number(margin) }
  return ChipSchema.safeParse({ template, size: Number(size), ...around }).data
}

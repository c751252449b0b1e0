/** How the faces on stored chips lie, in a few words that are kept with each. */
import { type ChipModel, STANDARD } from '../../models/manifest.ts'

/** Such as `dlib 150 0.25` or `arcface 112`. */
export const layoutText = (chip: ChipModel): string =>
  chip.template === 'dlib' ? `dlib ${chip.size} ${chip.padding}` : `arcface ${chip.size}`

/** What layoutText was given. Chips of before layouts were kept are those of the standard pack; undefined for other words. */
export function layoutOf(text: string | undefined): ChipModel | undefined {
  if (text === undefined) return STANDARD.embedder.chip
  const [, arcface, dlib, padding] = /^(?:arcface (\d+)|dlib (\d+) (\d+(?:\.\d+)?))$/.exec(text) ?? []
  if (arcface !== undefined) return { template: 'arcface', size: Number(arcface) }
  return dlib === undefined ? undefined : { template: 'dlib', size: Number(dlib), padding: Number(padding) }
}

/** Names embedders and the layouts of their chips: vectors with different labels cannot be compared. */
import { hash } from 'node:crypto'
import { type ChipModel, ChipSchema, DLIB_CHIP } from '../../models/manifest.ts'
import { type PlacedPack, STANDARD_PACK } from '../../models/packs.ts'

/** Labels of the embedders of `standard` in 0.1 and 0.2, which vectors of 0.2 may have. This version does not have these embedders. */
export const REMOVED_EMBEDDERS: readonly string[] = ['recognition-128-a60675b8', 'mobilefacenet-160-e73b9794']

/** The label that edges of 0.2 send with the chips of `standard`. The chips have not changed since. */
const RELEASED_CHIPS = 'mobilefacenet-160-e73b9794'

/**
 * A label like `mobilefacenet-160-e73b9794`: the files of the networks, the length of an embedding, and a hash of
 * everything that determines its values: the files, and the preparation of chips.
 */
export function embedderLabel({
  embedder: { networks, projection, dimension, chip },
  files,
}: Pick<PlacedPack, 'embedder' | 'files'> = STANDARD_PACK): string {
  const recipes = networks.map(({ file, dimension, weight, mirrored, input, output }) => ({
    sha256: files[file]!.sha256,
    dimension,
    mirrored,
    chip,
    input,
    output,
    ...(networks.length > 1 && { weight }),
  }))
  // Labels are stored with vectors. A label of an embedder with one network is as in earlier versions.
  const recipe =
    recipes.length === 1 && !projection
      ? recipes[0]
      : { networks: recipes, projection: projection && files[projection.file]!.sha256, dimension }
  const digest = hash('sha256', JSON.stringify(recipe)).slice(0, 8)
  const names = networks.map(({ file }) => file.replace(/\.onnx$/, ''))
  return `${names.join('-')}-${dimension}-${digest}`
}

/** Label of the chips that a pack needs, which an edge sends with them. */
export function chipLabel(pack: Pick<PlacedPack, 'embedder' | 'files'>): string {
  const label = embedderLabel(pack)
  return label === embedderLabel() ? RELEASED_CHIPS : label
}

/** The layout as text: template, size, and padding or margin; for example `dlib 150 0.25` or `arcface 144 16`. */
export const layoutText = (chip: ChipModel): string =>
  chip.template === 'dlib' ? `dlib ${chip.size} ${chip.padding}` : `arcface ${chip.size} ${chip.margin}`

/** Parses the result of layoutText. Chips without a layout, of 0.1, are dlib's; undefined for other text. */
export function layoutOf(text: string | undefined): ChipModel | undefined {
  if (text === undefined) return DLIB_CHIP
  const [, template, size, margin] = /^(arcface|dlib) (\d+) (\d+(?:\.\d+)?)$/.exec(text) ?? []
  const around = template === 'dlib' ? { padding: Number(margin) } : { margin: Number(margin) }
  return ChipSchema.safeParse({ template, size: Number(size), ...around }).data
}

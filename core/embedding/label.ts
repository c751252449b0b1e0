/** Names embedders and the layouts of their chips: vectors with different labels cannot be compared. */
import { createHash } from 'node:crypto'
import type { ModelFile } from '../../models/file-entry.ts'
import { type ChipModel, ChipSchema, DLIB_CHIP } from '../../models/manifest.ts'
import { MOBILEFACENET_PACK, type PlacedPack, STANDARD_PACK } from '../../models/packs.ts'

/**
 * A label like `recognition-128-5f3a09c1`: the files of the networks, the length of an embedding, and a hash of
 * everything that determines its values: the origin of the weights, and the preparation of chips.
 */
export function embedderLabel({
  embedder: { networks, projection, dimension, chip },
  files,
}: Pick<PlacedPack, 'embedder' | 'files'> = STANDARD_PACK): string {
  const recipes = networks.map(({ file, dimension, weight, mirrored, input, output }) => ({
    ...{ ...originOf(files[file]!), dimension, mirrored, chip, input, output },
    ...(networks.length > 1 && { weight }),
  }))
  // Labels are stored with vectors. Those of embedders with one network are as in earlier versions.
  const recipe =
    recipes.length === 1 && !projection
      ? recipes[0]
      : { networks: recipes, projection: projection && files[projection.file]!.sha256, dimension }
  const hash = createHash('sha256').update(JSON.stringify(recipe)).digest('hex').slice(0, 8)
  const names = networks.map(({ file }) => file.replace(/\.onnx$/, ''))
  return `${names.join('-')}-${dimension}-${hash}`
}

/**
 * Label of the chips that a pack needs, which an edge sends with them. The embedders of `standard` in 0.2 and now take
 * equal chips: an edge of either version works with both.
 */
export const chipLabel = (pack: Pick<PlacedPack, 'embedder' | 'files'>): string =>
  embedderLabel(embedderLabel(pack) === embedderLabel(STANDARD_PACK) ? MOBILEFACENET_PACK : pack)

/**
 * A network that is converted weight by weight is identified by its origin: other conversions give equal results. Any
 * other network is identified by its bytes, also the embedder with fewer outputs, because its projection determines the
 * embedding.
 */
function originOf(file: ModelFile) {
  if (!('weights' in file)) return { sha256: file.sha256 }
  const { package: origin, version, description, weights } = file
  return { origin, version, description, weights }
}

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

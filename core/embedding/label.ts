/** Names embedders and the layouts of their chips: vectors with different labels cannot be compared. */
import { createHash } from 'node:crypto'
import type { ModelFile } from '../../models/file-entry.ts'
import { type ChipModel, ChipSchema, DLIB_CHIP } from '../../models/manifest.ts'
import { type PlacedPack, STANDARD_PACK } from '../../models/packs.ts'

/**
 * A label like `recognition-128-5f3a09c1`: the network's file, the length of an embedding, and a hash of everything
 * that determines its values: the origin of the weights, and the preparation of chips.
 */
export function embedderLabel({
  embedder,
  files,
}: Pick<PlacedPack, 'embedder' | 'files'> = STANDARD_PACK): string {
  const { file, dimension, mirrored, chip, input, output } = embedder
  const recipe = JSON.stringify({ ...originOf(files[file]!), dimension, mirrored, chip, input, output })
  const hash = createHash('sha256').update(recipe).digest('hex').slice(0, 8)
  return `${file.replace(/\.onnx$/, '')}-${dimension}-${hash}`
}

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

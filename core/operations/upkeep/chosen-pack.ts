/** Selects the pack of a data folder. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import {
  DLIB_PACK,
  MOBILEFACENET_PACK,
  type PlacedPack,
  packNamed,
  readChoice,
  STANDARD_NAME,
  STANDARD_PACK,
  withEmbedderOf,
} from '../../../models/packs.ts'
import { embedderLabel } from '../../embedding/label.ts'
import { ignoreCode } from '../../files/inspect.ts'
import { OLDER_FILE } from '../../vector-store/adopt.ts'
import { recordedGeneration } from '../../vector-store/generation.ts'
import { LAYOUT } from '../../vector-store/sharding/layout.ts'

/** The packs whose embedders `standard` had in earlier versions. */
const FORMER_STANDARDS: readonly PlacedPack[] = [DLIB_PACK, MOBILEFACENET_PACK]

const formerStandard = (embedder: string | undefined): PlacedPack | undefined =>
  FORMER_STANDARDS.find(pack => embedderLabel(pack) === embedder)

/**
 * Name of the pack: `preferred`, else the choice recorded in the folder, else the shipped pack that made the stored vectors,
 * else the standard pack. Throws PackRefused or LayoutRefused when a record cannot be read.
 */
export async function chosenName(data: string, preferred?: string | undefined): Promise<string> {
  if (preferred) return preferred
  const choice = await readChoice(data)
  if (choice && choice.pack !== STANDARD_NAME) return choice.pack
  // Choices without an embedder are of 0.1, whose standard pack had the embedder of dlib.
  const embedder = choice
    ? (choice.embedder ?? embedderLabel(DLIB_PACK))
    : await storedEmbedder(join(data, 'vectors'))
  return formerStandard(embedder)?.name ?? STANDARD_NAME
}

/** The pack named by `chosenName`, with the embedder of the stored vectors if it has none of its own. */
export const chosenPack = async (data: string, preferred?: string | undefined): Promise<PlacedPack> =>
  withStoredEmbedder(data, await packNamed(data, await chosenName(data, preferred)))

/**
 * A pack without an embedder of its own, with the embedder of the folder's vectors if `standard` had that in an earlier
 * version. Any other pack stays as it is.
 */
export async function withStoredEmbedder(data: string, pack: PlacedPack): Promise<PlacedPack> {
  if (pack.name === STANDARD_NAME || embedderLabel(pack) !== embedderLabel(STANDARD_PACK)) return pack
  const former = formerStandard(await storedEmbedder(join(data, 'vectors')))
  return former ? withEmbedderOf(pack, former) : pack
}

/** Label (embedding/label.ts) of the embedder of the vectors in a store folder; undefined for a new folder. */
export async function storedEmbedder(folder: string): Promise<string | undefined> {
  const recorded = await recordedGeneration(folder)
  if (recorded) return recorded.embedder
  const names = (await readdir(folder).catch(ignoreCode('ENOENT'))) ?? []
  // Versions without a record of the embedder had only that of dlib.
  return names.some(name => name === LAYOUT || name === OLDER_FILE) ? embedderLabel(DLIB_PACK) : undefined
}

/** Advice to operators, logged at the start with vectors of an earlier standard embedder; undefined for other packs. */
export function conversionAdvice(pack: PlacedPack): string | undefined {
  const former = formerStandard(embedderLabel(pack))
  if (!former) return undefined
  const target = former.name === pack.name ? STANDARD_NAME : pack.name
  return (
    `The vectors are of the pack "${former.name}". The embedder of the pack "${STANDARD_NAME}" tells people apart ` +
    `better: stop the service, and mien models reembed ${target} converts them.`
  )
}

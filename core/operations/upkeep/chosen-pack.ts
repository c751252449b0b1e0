/** Selects the pack of a data folder. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import {
  DLIB_NAME,
  DLIB_PACK,
  type PlacedPack,
  packNamed,
  readChoice,
  STANDARD_NAME,
} from '../../../models/packs.ts'
import { embedderLabel } from '../../embedding/label.ts'
import { ignoreCode } from '../../files/inspect.ts'
import { OLDER_FILE } from '../../vector-store/adopt.ts'
import { recordedGeneration } from '../../vector-store/generation.ts'
import { LAYOUT } from '../../vector-store/sharding/layout.ts'

/**
 * Name of the pack: `preferred`, else the choice recorded in the folder, else the shipped pack that made the stored vectors,
 * else the standard pack. Throws PackRefused or LayoutRefused when a record cannot be read.
 */
export async function chosenName(data: string, preferred?: string | undefined): Promise<string> {
  if (preferred) return preferred
  const choice = await readChoice(data)
  if (!choice) return (await hasDlibVectors(data)) ? DLIB_NAME : STANDARD_NAME
  // Choices without an embedder are of earlier versions, whose standard pack had the embedder of dlib.
  return choice.pack === STANDARD_NAME && choice.embedder === undefined ? DLIB_NAME : choice.pack
}

/** The pack named by `chosenName`. */
export const chosenPack = async (data: string, preferred?: string | undefined): Promise<PlacedPack> =>
  packNamed(data, await chosenName(data, preferred))

/** Label (embedding/label.ts) of the embedder of the vectors in a store folder; undefined for a new folder. */
export async function storedEmbedder(folder: string): Promise<string | undefined> {
  const recorded = await recordedGeneration(folder)
  if (recorded) return recorded.embedder
  const names = (await readdir(folder).catch(ignoreCode('ENOENT'))) ?? []
  // Versions without a record of the embedder had only that of dlib.
  return names.some(name => name === LAYOUT || name === OLDER_FILE) ? embedderLabel(DLIB_PACK) : undefined
}

const hasDlibVectors = async (data: string): Promise<boolean> =>
  (await storedEmbedder(join(data, 'vectors'))) === embedderLabel(DLIB_PACK)

/** Advice to operators, logged at the start with vectors of the dlib pack; undefined for other packs. */
export const conversionAdvice = ({ name }: Pick<PlacedPack, 'name'>): string | undefined =>
  name === DLIB_NAME
    ? `The vectors are of the pack "${DLIB_NAME}". The pack "${STANDARD_NAME}" tells people apart better: ` +
      `stop the service, and mien models reembed ${STANDARD_NAME} converts them.`
    : undefined

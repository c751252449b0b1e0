/** Which pack a data folder is served with. */
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
import { ignoreCode } from '../../files/expected-errors.ts'
import { OLDER_FILE } from '../../vector-store/adopt.ts'
import { recordedGeneration } from '../../vector-store/generation.ts'
import { LAYOUT } from '../../vector-store/sharding/layout.ts'

/**
 * The name of the pack: `preferred` where that is given, else the folder's choice, else the shipped one that made the stored
 * vectors, else the standard pack. Throws PackRefused or LayoutRefused when what decides it can't be read.
 */
export async function chosenName(data: string, preferred?: string | undefined): Promise<string> {
  if (preferred) return preferred
  const choice = await readChoice(data)
  if (!choice) return (await madeByDlib(data)) ? DLIB_NAME : STANDARD_NAME
  // The standard pack had dlib's embedder while choices did not name it.
  return choice.pack === STANDARD_NAME && choice.embedder === undefined ? DLIB_NAME : choice.pack
}

/** The pack of that name. */
export const chosenPack = async (data: string, preferred?: string | undefined): Promise<PlacedPack> =>
  packNamed(data, await chosenName(data, preferred))

/** What made the vectors in this folder of a store (embedding/label.ts); undefined where the folder is new. */
export async function storedEmbedder(folder: string): Promise<string | undefined> {
  const recorded = await recordedGeneration(folder)
  if (recorded) return recorded.embedder
  const names = (await readdir(folder).catch(ignoreCode('ENOENT'))) ?? []
  // Before the embedder was recorded, there was one.
  return names.some(name => name === LAYOUT || name === OLDER_FILE) ? embedderLabel(DLIB_PACK) : undefined
}

const madeByDlib = async (data: string): Promise<boolean> =>
  (await storedEmbedder(join(data, 'vectors'))) === embedderLabel(DLIB_PACK)

/** What an operator is told at the start of a folder that an earlier version made; undefined for other packs. */
export const conversionAdvice = ({ name }: Pick<PlacedPack, 'name'>): string | undefined =>
  name === DLIB_NAME
    ? `The vectors are of the pack "${DLIB_NAME}". The pack "${STANDARD_NAME}" tells people apart better: ` +
      `stop the service, and npm run models -- reembed ${STANDARD_NAME} converts them.`
    : undefined

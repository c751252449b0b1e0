/** The built model files on disk. */
import { readFile } from 'node:fs/promises'
import { entryOf } from './manifest.ts'
import { verified } from './verify.ts'

/** Where `npm run models` puts them; not in git. */
export const BUILT = new URL('built/', import.meta.url)

/** The verified bytes of one built model. Throws when it is missing or not the one that the manifest means. */
export async function readModel(file: string): Promise<Uint8Array<ArrayBuffer>> {
  const entry = entryOf(file)
  const bytes = await readFile(new URL(file, BUILT)).catch(cause => {
    throw new Error(`the model ${file} is not built: run npm run models`, { cause })
  })
  return verified(new Uint8Array(bytes), entry)
}

/** The built model files on disk. */
import { readFile } from 'node:fs/promises'
import { entryOf, type ReadModel } from './manifest.ts'
import { verified } from './verify.ts'

/** Where `npm run models` puts them; not in git. */
export const BUILT = new URL('built/', import.meta.url)

/** Reads built models. */
export const readModel: ReadModel = async file => {
  const entry = entryOf(file)
  const bytes = await readFile(new URL(file, BUILT)).catch(cause => {
    throw new Error(`the model ${file} is not built: run npm run models`, { cause })
  })
  return verified(new Uint8Array(bytes), entry)
}

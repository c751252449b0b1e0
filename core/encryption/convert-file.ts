/** Converts one file from one form to another, atomically: after a crash the path has the old or the new form. */
import { readFile } from 'node:fs/promises'
import { writeWhole } from '../files/durable.ts'
import { ignoreCode } from '../files/expected-errors.ts'
import { replaceAndWipe } from '../files/wipe.ts'
import { type FileForm, markIn } from './file-form.ts'

/** Old and new form of a file. */
export interface FormChange {
  from: FileForm
  to: FileForm
}

/**
 * Rewrites the file through the folder `writing`. Skips a missing file and one that has the new form. Returns false, without
 * a change, for a file in neither form.
 */
export async function convertFile(
  path: string,
  place: string,
  { from, to }: FormChange,
  writing: string,
): Promise<boolean> {
  const stored = await readFile(path).catch(ignoreCode('ENOENT'))
  if (!stored || markIn(stored) === to.mark) return true
  const bytes = from.read(stored, place)
  if (!bytes) return false
  await replaceAndWipe(path, () => writeWhole(path, to.stored(bytes, place), writing))
  return true
}

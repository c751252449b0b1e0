/** Conversion of one file from a form to another: crash or not, the path has the one or the other. */
import { readFile } from 'node:fs/promises'
import { writeWhole } from '../files/durable.ts'
import { ignoreCode } from '../files/expected-errors.ts'
import { wipingOld } from '../files/wipe.ts'
import { type FileForm, markIn } from './file-form.ts'

export interface FormChange {
  from: FileForm
  to: FileForm
}

/**
 * Writes the file anew, through the folder `writing`, unless it is in its new form already or is not there. False, and
 * nothing is changed, when it is in neither form.
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
  await wipingOld(path, () => writeWhole(path, to.stored(bytes, place), writing))
  return true
}

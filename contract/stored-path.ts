/** Paths that stored data names. Each stays below the folder that the data is read from or written to. */
import * as z from 'zod'

/** A name of a file or folder. Windows ignores dots and spaces at its end, and reads `\` and `:` as separators. */
const NAME = /^(?![. ]+$)[^/\\:\p{Cc}]+$/u

/** Whether a path is relative, separated by `/`, and leads to nothing outside of its folder on any system. */
export const isBelowFolder = (path: string): boolean => path.split('/').every(name => NAME.test(name))

/** A path below the folder of the data that names it. */
export const StoredPath = z.string().refine(isBelowFolder, {
  error: ({ input }) => `${JSON.stringify(input)} is outside of its folder`,
})

/** Joins a folder and a path that stored data names. Throws an Error for a path outside of the folder. */
export function pathBelow(folder: string, path: string): string {
  if (isBelowFolder(path)) return `${folder}/${path}`
  throw new Error(`${JSON.stringify(path)} is outside of its folder ${folder}. Nothing was read or written.`)
}

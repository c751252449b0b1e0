/** The form of the running program: TypeScript sources in the repository, compiled JavaScript in a release. */
import { extname } from 'node:path'

/** Extension of the program's modules: `.ts`, or `.js` in a release. For paths of modules that other threads or processes run. */
export const MODULE_EXTENSION = extname(import.meta.filename)

/** Whether the program is a release: it has everything that the repository builds, and nothing to build it again. */
export const IS_RELEASE = MODULE_EXTENSION === '.js'

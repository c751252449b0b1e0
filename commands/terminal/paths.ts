/** Resolves paths of operators: npm runs scripts in the project's folder, wherever it was called from. */
import { join, resolve } from 'node:path'
import { makePrivateFiles } from '../../core/files/private.ts'

const ROOT = join(import.meta.dirname, '..', '..')

/** Resolves a path relative to the folder that npm was called from. */
export const pathOf = (path: string, env: NodeJS.ProcessEnv = process.env): string =>
  resolve(env.INIT_CWD ?? process.cwd(), path)

/**
 * The data folder: `given`, or `data` of the project. From now on, new files of this process are accessible only to its
 * owner, because commands with a data folder handle personal data.
 */
export function dataFolder(given: string | undefined, env: NodeJS.ProcessEnv = process.env): string {
  makePrivateFiles()
  return given ? pathOf(given, env) : join(ROOT, 'data')
}

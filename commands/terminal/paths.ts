/** Paths as an operator means them: npm runs scripts in the project's folder, wherever it was called from. */
import { resolve } from 'node:path'
import { makePrivateFiles } from '../../core/files/private.ts'

/** A relative path is one of the folder that npm was called from. */
export const pathOf = (path: string, env: NodeJS.ProcessEnv = process.env): string =>
  resolve(env.INIT_CWD ?? process.cwd(), path)

/**
 * The data folder: the one that is given, that of the environment, or `data` of the project. What this process writes from
 * now on is for its owner alone: a command that asks for the data folder handles personal data.
 */
export function dataFolder(
  given: string | undefined,
  root: string,
  env: NodeJS.ProcessEnv = process.env,
): string {
  makePrivateFiles()
  const data = given ?? env.MIEN_DATA
  return data ? pathOf(data, env) : resolve(root, 'data')
}

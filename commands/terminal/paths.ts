/** Resolves paths of operators: npm runs scripts in the project's folder, wherever it was called from. */

import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { makePrivateFiles } from '../../core/files/private.ts'
import { IS_RELEASE } from '../../core/files/program-form.ts'

/** The folder of the program. */
export const ROOT = join(import.meta.dirname, '..', '..')

/** Resolves a path relative to the folder that npm was called from. */
export const pathOf = (path: string, env: NodeJS.ProcessEnv = process.env): string =>
  resolve(env.INIT_CWD ?? process.cwd(), path)

/**
 * The data folder when none is given: `data` of the project. For a release `mien` in the user's folder for data (XDG
 * base directories): npm replaces the folder of the program at each update.
 */
export const defaultData = (env: NodeJS.ProcessEnv = process.env, isRelease = IS_RELEASE): string =>
  isRelease ? join(env.XDG_DATA_HOME || join(homedir(), '.local', 'share'), 'mien') : join(ROOT, 'data')

/**
 * The data folder: `given`, or the default. After the call, only the owner of this process can access its new files: commands with
 * a data folder handle personal data.
 */
export function dataFolder(given: string | undefined, env: NodeJS.ProcessEnv = process.env): string {
  makePrivateFiles()
  return given ? pathOf(given, env) : defaultData(env)
}

/** Whether this process was started with the module. Like `import.meta.main`, which Node 24.0 lacks. */
export function isMainScript({ filename }: ImportMeta): boolean {
  const [, script = ''] = process.argv
  return existsSync(script) && realpathSync(script) === filename
}

/** The version in package.json, for example `0.2.0`. */
export function installedVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}

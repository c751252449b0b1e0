/** Reads the operator's encryption key from a variable, or from the file that a variable names. */
import { resolve } from 'node:path'
import { type OperatorKey, parseOperatorKey } from '../encryption/operator-key.ts'
import { ConfigurationError } from './environment.ts'
import { givenSecret } from './secret-files.ts'

/** Variables for the key: its value, or the file that contains it. */
export const KEY_VARIABLES = { key: 'MIEN_ENCRYPTION_KEY', file: 'MIEN_ENCRYPTION_KEY_FILE' } as const

/** Variables for the key that replaces it. */
export const NEW_KEY_VARIABLES = {
  key: 'MIEN_ENCRYPTION_NEW_KEY',
  file: 'MIEN_ENCRYPTION_NEW_KEY_FILE',
} as const

/**
 * Reads the key; undefined when none is set. `pathOf` resolves the file's path. Throws ConfigurationError, without key
 * material, when the key is invalid, set twice, or in a file that all users can read.
 */
export async function readOperatorKey(
  environment: Record<string, string | undefined>,
  variables: { key: string; file: string } = KEY_VARIABLES,
  pathOf: (path: string) => string = resolve,
): Promise<OperatorKey | undefined> {
  const text = await givenSecret(environment, variables, pathOf)
  if (text === undefined) return undefined
  const key = parseOperatorKey(text)
  if (key) return key
  throw new ConfigurationError(
    `${environment[variables.file] ? variables.file : variables.key} must give 32 random bytes, as 64 hexadecimal digits or as Base64: ` +
      'openssl rand -hex 32',
  )
}

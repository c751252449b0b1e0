/** The operator's key for encryption, from a variable or from the file that another one names. */
import { resolve } from 'node:path'
import { type OperatorKey, parseOperatorKey } from '../encryption/operator-key.ts'
import { ConfigurationError } from './environment.ts'
import { givenSecret } from './secret-files.ts'

/** The variables that give a key: by itself, or by the file that it is in. */
export const KEY_VARIABLES = { key: 'MIEN_ENCRYPTION_KEY', file: 'MIEN_ENCRYPTION_KEY_FILE' } as const

/** Those of the key that is to take its place. */
export const NEW_KEY_VARIABLES = {
  key: 'MIEN_ENCRYPTION_NEW_KEY',
  file: 'MIEN_ENCRYPTION_NEW_KEY_FILE',
} as const

/**
 * Undefined when none is given. `pathOf` finds the file. Throws ConfigurationError, which says nothing of the key, when
 * it is not one, comes twice, or lies in a file that everybody can read.
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

/** Tokens that a start makes and keeps in files of the data folder. */
import { readFile } from 'node:fs/promises'
import { createToken, type TokenRequest, tokenIsValid } from '../../core/metadata/issue-tokens.ts'
import { writeSecret } from './ready-file.ts'

/** Name of the owner for which the first start creates a token. */
export const STARTER = 'starter'

/** The token in the file when it is valid; otherwise a new one, which is written there. */
export async function keptToken(
  path: string,
  request: TokenRequest,
): Promise<{ token: string; fresh: boolean }> {
  const kept = (await readFile(path, 'utf8').catch(() => '')).trim()
  if (kept !== '' && (await tokenIsValid({ ...request, token: kept }))) return { token: kept, fresh: false }
  const token = await createToken(request)
  await writeSecret(path, `${token}\n`)
  return { token, fresh: true }
}

/** Creates the starter token, and prints the banner of a start. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { MetadataSettings } from '../../core/metadata/database.ts'
import { createToken, tokenIsValid } from '../../core/metadata/issue-tokens.ts'
import { curlFile, shellWord } from '../terminal/shell-words.ts'
import { type Ready, writeSecret } from './ready-file.ts'

/** Name of the owner for which the first start creates a token. */
const STARTER = 'starter'

const ROOT = join(import.meta.dirname, '..', '..')

const MIEN = join(ROOT, 'commands', 'mien.js')

/** A photo of three people, in every installation. */
export const SAMPLE = join(ROOT, 'node_modules', '@vladmandic', 'face-api', 'demo', 'sample1.jpg')

/** The token in `<data>/token` when it is valid; otherwise a new one, which is written there. */
export async function starterToken(
  data: string,
  settings: MetadataSettings,
): Promise<{ token: string; fresh: boolean }> {
  const path = join(data, 'token')
  const kept = (await readFile(path, 'utf8').catch(() => '')).trim()
  if (kept !== '' && (await tokenIsValid({ ...settings, data, token: kept })))
    return { token: kept, fresh: false }
  const token = await createToken({ ...settings, data, owner: STARTER, name: 'made at the first start' })
  await writeSecret(path, `${token}\n`)
  return { token, fresh: true }
}

/** Content of the banner in addition to `Ready`. */
export interface Started {
  data: string
  /** Whether this start created the token. A new token is shown once. */
  fresh: boolean
  /** Path of the log file; undefined when log lines go to standard output. */
  log: string | undefined
}

/** Prints addresses, paths, and commands that work in a shell in any folder. */
export function announce(ready: Ready, { data, fresh, log }: Started): void {
  const file = join(data, 'token')
  const header = fresh
    ? shellWord(`Authorization: Token ${ready.token}`)
    : `"Authorization: Token $(cat ${shellWord(file)})"`
  console.log(`
Mien is ready.

  API    ${ready.edge}
  core   ${ready.core}
  data   ${data}
  log    ${log ?? 'standard output'}
  token  ${fresh ? ready.token : `in ${file}`}

To create a token for somebody:

  ${tokenCommand(data)}

A first request, to paste into another terminal:

  curl -H ${header} -F ${shellWord(`photo=@${curlFile(SAMPLE)}`)} ${ready.edge}/v0/detect

Or open ${ready.edge} in a browser, and sign in with the token.

Ctrl-C stops everything.`)
}

/** The command that creates a token for this data folder, from any working folder. */
const tokenCommand = (data: string): string =>
  `node ${shellWord(MIEN)} token create --owner NAME --data ${shellWord(data)}`

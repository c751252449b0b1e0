/** What a start leaves for people: the starter token and the words on the terminal. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { MetadataSettings } from '../../core/metadata/database.ts'
import { createToken, tokenIsValid } from '../../core/metadata/issue-tokens.ts'
import { curlFile, shellWord } from '../terminal/shell-words.ts'
import { type Ready, writeSecret } from './ready-file.ts'

/** The owner that the first start makes a token for. */
const STARTER = 'starter'

const ROOT = join(import.meta.dirname, '..', '..')

/** A photo that every installation has. */
const SAMPLE = join(ROOT, 'node_modules', '@vladmandic', 'face-api', 'demo', 'sample1.jpg')

/** The token in `<data>/token`, while it is valid; else a new one. */
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

/** What the banner shows in addition to `Ready`. */
export interface Started {
  data: string
  /** The token was created by this start, and is shown once. */
  fresh: boolean
  /** The log file; undefined where log lines go to standard output. */
  log: string | undefined
}

/** Prints where everything is, and commands that can be pasted into a shell in any folder. */
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

Ctrl-C stops everything.`)
}

/** Creates a token for this data folder, from whichever folder it is typed in. */
const tokenCommand = (data: string): string =>
  `npm --prefix ${shellWord(ROOT)} run token -- create --owner NAME --data ${shellWord(data)}`

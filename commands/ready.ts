/** What a start leaves for people and scripts: the starter token, ready.json and the words on the terminal. */
import { chmod, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { MetadataSettings } from '../core/metadata/database.ts'
import { createToken, tokenIsValid } from '../core/metadata/issue-tokens.ts'

export interface Ready {
  edge: string
  core: string
  token: string
  /** The launcher's process id. */
  pid: number
}

/** The owner that the first start makes a token for. */
const STARTER = 'starter'

/** A photo that every installation has. */
const SAMPLE = join(
  import.meta.dirname,
  '..',
  'node_modules',
  '@vladmandic',
  'face-api',
  'demo',
  'sample1.jpg',
)

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

/** `<data>/ready.json` exists while everything answers. */
export const writeReady = (data: string, ready: Ready): Promise<void> =>
  writeSecret(join(data, 'ready.json'), `${JSON.stringify(ready)}\n`)

/** What a start that was killed has left behind. The file of one that still runs stays. */
export async function removeStaleReady(data: string): Promise<void> {
  const text = await readFile(join(data, 'ready.json'), 'utf8').catch(() => undefined)
  if (text !== undefined && !isAlive(pidOf(text))) await removeReady(data)
}

function pidOf(text: string): number {
  try {
    return Number((JSON.parse(text) as Partial<Ready>).pid)
  } catch {
    return Number.NaN
  }
}

/** Whether there is such a process, and we may signal it. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

export const removeReady = (data: string): Promise<void> => rm(join(data, 'ready.json'), { force: true })

/** Whole or not at all, and readable by its owner only. */
async function writeSecret(path: string, text: string): Promise<void> {
  const temporary = `${path}.${process.pid}`
  await writeFile(temporary, text, { mode: 0o600 })
  await chmod(temporary, 0o600)
  await rename(temporary, path)
}

export function announce(ready: Ready, data: string, fresh: boolean): void {
  const shown = fresh ? ready.token : `$(cat '${join(data, 'token')}')`
  console.log(`
Mien is ready.

  API    ${ready.edge}
  core   ${ready.core}
  data   ${data}
  token  ${fresh ? ready.token : `in ${join(data, 'token')}`}
         another: npm run token -- create --owner NAME

A first request, to paste into another terminal:

  curl -H "Authorization: Token ${shown}" -F "photo=@${SAMPLE}" ${ready.edge}/v0/detect

Ctrl-C stops everything.`)
}

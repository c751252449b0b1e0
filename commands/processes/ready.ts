/** Creates the starter token, and prints the banner of a start. */

import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import {
  administratorSignsIn,
  createToken,
  listOwners,
  startLink,
  type TokenRequest,
  tokenIsValid,
} from '../../core/metadata/access/issue-tokens.ts'
import type { MetadataSettings } from '../../core/metadata/database.ts'
import { ROOT } from '../terminal/paths.ts'
import { type Ready, writeSecret } from '../terminal/ready-file.ts'

/** A photo of three people, in every installation. */
export const SAMPLE = join(ROOT, 'node_modules', '@vladmandic', 'face-api', 'demo', 'sample1.jpg')

/** Address of the console for browsers. They make passkeys for the name localhost, and not for 127.0.0.1. */
export const pageAddress = (edge: string, publicUrl = ''): string =>
  publicUrl.replace(/\/$/, '') || edge.replace(/\/\/(127\.0\.0\.1|\[::1\])(?=:|$)/, '//localhost')

/**
 * A link that signs a browser in, while no administrator can sign in by a passkey. Without a public URL, the host of the page is not
 * known: a proxy may have any name.
 */
export async function firstLink(
  data: string,
  { page, publicUrl }: { page: string; publicUrl: string | undefined },
  settings: MetadataSettings,
): Promise<string | undefined> {
  const owner = await starterOf(data, settings)
  const host = publicUrl ? new URL(publicUrl).hostname : undefined
  if (await administratorSignsIn({ data, owner, host }, settings)) return undefined
  const user = { owner, name: 'administrator', role: 'administer' } as const
  return `${page}/#/sign-in/${await startLink({ ...settings, data, ...user })}`
}

/** The token in `<data>/token` when it is valid; otherwise a new one, which is written there. */
export const starterToken = async (
  data: string,
  settings: MetadataSettings,
): Promise<{ token: string; fresh: boolean }> =>
  keptToken(join(data, 'token'), {
    ...settings,
    data,
    owner: await starterOf(data, settings),
    name: 'made at the first start',
  })

/** Content of the banner in addition to `Ready`. */
interface Started {
  data: string
  /** Whether this start created the token. A new token is shown once. */
  fresh: boolean
  /** Address of the console for browsers. */
  page: string
  /** A link that signs a browser in once; undefined when an administrator has a passkey. */
  link: string | undefined
  /** Path of the log file; undefined when log lines go to standard output. */
  log: string | undefined
}

/** A secret, or the file that has it: an output that is no terminal may be a log. */
export const inTerminal = (secret: string, file: string): string =>
  process.stdout.isTTY ? secret : `in ${file}`

/**
 * Prints addresses, paths, and commands that work in a shell in any folder. The link is in `<data>/sign-in-link` when standard
 * output is no terminal.
 */
export async function announce(ready: Ready, { data, fresh, page, link, log }: Started): Promise<void> {
  const file = join(data, 'token')
  const linkFile = join(data, 'sign-in-link')
  if (link && !process.stdout.isTTY) await writeSecret(linkFile, `${link}\n`)
  else await rm(linkFile, { force: true })
  const header =
    fresh && process.stdout.isTTY
      ? shellWord(`Authorization: Token ${ready.token}`)
      : `"Authorization: Token $(cat ${shellWord(file)})"`
  console.log(`
Mien is ready.

  API    ${ready.edge}
  core   ${ready.core}
  data   ${data}
  log    ${log ?? 'standard output'}
  token  ${fresh ? inTerminal(ready.token, file) : `in ${file}`}

A first request, to paste into another terminal:

  curl -H ${header} -F ${shellWord(`photo=@${curlFile(SAMPLE)}`)} ${ready.edge}/v0/detect

${
  link
    ? `Or open the console in a browser. This link signs it in, once and within an hour:

  ${inTerminal(link, linkFile)}`
    : `Or open ${page} in a browser, and sign in.`
}

Ctrl-C stops everything.`)
}

/** Name of the owner that the first start creates. */
const STARTER = 'starter'

/** The owner of the tokens and links of a start. A folder that has owners gets no other one: several cannot change the settings. */
export async function starterOf(data: string, settings: MetadataSettings): Promise<string> {
  const owners = await listOwners(data, settings)
  return owners.includes(STARTER) ? STARTER : (owners[0] ?? STARTER)
}

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

/** Characters that need no quotes in any shell. */
const PLAIN_WORD = /^[\w@%+=:,./-]+$/

/** The text as one word of a POSIX shell, or of PowerShell and cmd on Windows. */
export function shellWord(text: string): string {
  if (PLAIN_WORD.test(text)) return text
  return process.platform === 'win32'
    ? `"${text.replaceAll('"', '""')}"`
    : `'${text.replaceAll("'", `'\\''`)}'`
}

/** A file name for `-F name=@` of curl, which interprets `,` `;` and `"` in it. */
const curlFile = (path: string) =>
  /[",;]/.test(path) ? `"${path.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"` : path

/** Programs that `mien start` runs beside core and the edge: the watcher of cameras, with a token of its own, and the backups. */
import { join } from 'node:path'
import { PROVIDER_SECRET } from '../../core/configuration/credentials.ts'
import type { MetadataSettings } from '../../core/metadata/database.ts'
import { HIDDEN_SECRETS, type Supervised, startChild, supervise } from './child.ts'
import type { ChildOutput } from './output.ts'
import { keptToken, STARTER } from './ready.ts'

const MIEN = join(import.meta.dirname, '..', 'mien.js')

/** File of the data folder with the token of the watcher. */
export const WATCHER_TOKEN_FILE = 'watcher-token'

/** Starts a watcher of the cameras of the starter's owner: `mien watch`. */
export async function startWatcher(
  { data, edge }: { data: string; edge: string },
  settings: MetadataSettings,
  output: ChildOutput | undefined,
): Promise<Supervised> {
  const tokenFile = join(data, WATCHER_TOKEN_FILE)
  await keptToken(tokenFile, {
    ...settings,
    data,
    owner: STARTER,
    name: 'mien start --watch',
    scope: 'camera',
  })
  const args = ['watch', '--url', edge, '--token-file', tokenFile]
  return startProgram('The watcher', args, { ...HIDDEN_SECRETS, MIEN_TOKEN: '' }, output)
}

/** Starts the program that makes backups as the settings of the service say: `mien backup --follow`. */
export const startBackups = (
  { data, backupTo }: { data: string; backupTo: string },
  output: ChildOutput | undefined,
): Promise<Supervised> =>
  startProgram(
    'The backup program',
    ['backup', '--to', backupTo, '--follow', '--data', data],
    { [PROVIDER_SECRET]: '' },
    output,
  )

/** Starts `mien` with these arguments as a supervised child process. The service continues when it does not stay alive. */
const startProgram = (
  name: string,
  args: readonly string[],
  env: Record<string, string>,
  output: ChildOutput | undefined,
): Promise<Supervised> =>
  supervise(
    name,
    0,
    () => startChild({ name, script: MIEN, args, onLine: output?.onLine, env }),
    () => console.error(`${name} does not stay alive. The service continues without it.`),
  )

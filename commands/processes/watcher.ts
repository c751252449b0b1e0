/** The watcher of `mien start --watch`: `mien watch` as a supervised child process with a token of its own. */
import { join } from 'node:path'
import type { MetadataSettings } from '../../core/metadata/database.ts'
import { HIDDEN_SECRETS, type Supervised, startChild, supervise } from './child.ts'
import type { ChildOutput } from './output.ts'
import { keptToken, STARTER } from './ready.ts'

const MIEN = join(import.meta.dirname, '..', 'mien.js')

/** File of the data folder with the token of the watcher. */
export const WATCHER_TOKEN_FILE = 'watcher-token'

/** Starts a watcher of the cameras of the starter's owner. */
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
  return supervise(
    'The watcher',
    0,
    () =>
      startChild({
        name: 'The watcher',
        script: MIEN,
        args: ['watch', '--url', edge, '--token-file', tokenFile],
        onLine: output?.onLine,
        env: { ...HIDDEN_SECRETS, MIEN_TOKEN: '' },
      }),
    () => console.error('The watcher does not stay alive. The service continues without it.'),
  )
}

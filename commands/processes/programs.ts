/** Programs that `mien start` runs beside core and the edge: the watcher of cameras, with its own token, and the backups. */
import { join } from 'node:path'
import { PROVIDER_SECRET } from '../../core/configuration/credentials.ts'
import { closeDatabase, type MetadataSettings, openDatabase } from '../../core/metadata/database.ts'
import { repeatedly } from '../../core/operations/repeatedly.ts'
import { settingReader } from '../administration/settings.ts'
import { HIDDEN_SECRETS, type Supervised, startChild, supervise } from './child.ts'
import { hasFfmpeg } from './ffmpeg-program.ts'
import type { ChildOutput } from './output.ts'
import { keptToken, starterOf } from './ready.ts'

/** How long a child may take to finish active requests, in milliseconds. */
export const CHILD_GRACE_MS = 12_000

const MIEN = join(import.meta.dirname, '..', 'mien.js')

/** File of the data folder with the token of the watcher. */
export const WATCHER_TOKEN_FILE = 'watcher-token'

/** Pause between two looks at the setting `watch_cameras`, in milliseconds. */
const POLL_MS = 2_000

interface Watched {
  data: string
  /** URL of the API. */
  edge: string
}

/** Runs a watcher while the setting `watch_cameras` is on. It follows a change within seconds. */
export async function followWatcher(
  watched: Watched,
  settings: MetadataSettings,
  output: ChildOutput | undefined,
): Promise<Pick<Supervised, 'stop'>> {
  const isWanted = await settingReader(watched.data, 'watch_cameras')
  const database = await openDatabase(watched.data, settings)
  let watcher: Supervised | undefined
  const look = async () => {
    if ((await isWanted(database)) === (watcher !== undefined)) return
    // An operator may install ffmpeg while the service runs.
    if (!watcher && !(await hasFfmpeg())) return
    if (watcher) await watcher.stop(CHILD_GRACE_MS)
    watcher = watcher ? undefined : await startWatcher(watched, settings, output)
  }
  await look()
  const following = repeatedly(POLL_MS, () =>
    look().catch(error => console.error(`The watcher does not follow its setting. ${error}`)),
  )
  return {
    async stop(graceMs) {
      await following.stop()
      await watcher?.stop(graceMs)
      await closeDatabase(database)
    },
  }
}

/** Starts a watcher of the cameras of the starter's owner: `mien watch`. */
async function startWatcher(
  { data, edge }: Watched,
  settings: MetadataSettings,
  output: ChildOutput | undefined,
): Promise<Supervised> {
  const tokenFile = join(data, WATCHER_TOKEN_FILE)
  await keptToken(tokenFile, {
    ...settings,
    data,
    owner: await starterOf(data, settings),
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
) =>
  supervise(
    name,
    0,
    () => startChild({ name, script: MIEN, args, onLine: output?.onLine, env }),
    () => console.error(`${name} does not stay alive. The service continues without it.`),
  )

/** Builds missing files, then runs core and the edge worker as child processes until Ctrl-C. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileOf, OPERATOR_KEY, secretsInFiles } from '../../core/configuration/credentials.ts'
import { HAS_WATCHER } from '../../core/configuration/environment.ts'
import { openSecrets } from '../../core/configuration/secrets.ts'
import { MODULE_EXTENSION } from '../../core/files/program-form.ts'
import { onShutdown } from '../../core/http/shutdown.ts'
import { chosenPack, requireUsable } from '../../models/packs.ts'
import { buildAssets } from '../build/assets.ts'
import { bundleEdge } from '../build/bundle.ts'
import { originOf } from '../edge-proxy/target.ts'
import { usePack } from '../models/use.ts'
import { metadataFor } from '../terminal/data-folder.ts'
import { pathOf, ROOT } from '../terminal/paths.ts'
import { type Ready, removeReady, removeStaleReady, writeReady } from '../terminal/ready-file.ts'
import { HIDDEN_SECRETS, type Supervised, startChild, supervise } from './child.ts'
import { requireFfmpeg } from './ffmpeg-program.ts'
import { edgeBindings, faultOfPort, type GivenOptions, type StartOptions, startOptions } from './options.ts'
import { type ChildOutput, childOutput } from './output.ts'
import { CHILD_GRACE_MS, followWatcher, startBackups } from './programs.ts'
import { announce, firstLink, pageAddress, starterToken } from './ready.ts'
import type { EdgeSettings } from './serve-edge.ts'

/**
 * Runs the service until it receives a signal. Throws UsageError. Any other error ends the process, because children may
 * be running.
 */
export async function start(given: GivenOptions): Promise<number> {
  const options = startOptions(given)
  try {
    await startHalves(options)
    return 0
  } catch (error) {
    console.error(`\nMien could not start. ${error instanceof Error ? error.message : String(error)}`)
    process.exit(1)
  }
}

async function startHalves(options: StartOptions) {
  Object.assign(process.env, await secretsInFiles(process.env, pathOf))
  await mkdir(options.data, { recursive: true, mode: 0o700 })
  const settings = await metadataFor(options.data)
  await removeStaleReady(options.data)
  await refuseTakenPort('--edge-port', options.host, options.edgePort)
  await refuseTakenPort('--core-port', options.coreHost, options.corePort)
  if (options.watch) process.env.MIEN_WATCH_CAMERAS = 'true'
  if (options.watch) await requireFfmpeg()
  await buildAssets(line => console.log(line))
  if (options.pack) await usePack(options.data, options.pack)
  const pack = requireUsable(await chosenPack(options.data, options.pack || process.env.MIEN_PACK)).name
  console.log('Starting ...')
  const output = childOutput(options.data)
  const [core] = await Promise.all([startCore({ ...options, pack }, output), bundleEdge()])
  const coreUrl = originOf(options.coreHost, core.port)
  const edge = await startEdge(options, pack, coreUrl, output)
  const { token, fresh } = await starterToken(options.data, settings)
  const ready: Ready = { edge: originOf(options.host, edge.port), core: coreUrl, token, pid: process.pid }
  await refuseSilence(ready)
  const watcher = await followWatcher({ data: options.data, edge: ready.edge }, settings, output)
  const backups = options.backupTo ? await startBackups(options, output) : undefined
  await writeReady(options.data, ready)
  const publicUrl = process.env.MIEN_PUBLIC_URL
  const page = pageAddress(ready.edge, publicUrl)
  const link = await firstLink(options.data, { page, publicUrl }, settings)
  await announce(ready, { data: options.data, fresh, page, link, log: output?.log })
  onShutdown(() => stop(options.data, [watcher, backups, edge, core]))
}

/** An absolute path, because core has another working folder than the launcher. */
const absolute = (path: string | undefined) => (path ? pathOf(path) : '')

/** A core that is started again keeps the pack of this start, like its edge. */
const startCore = (options: StartOptions & { pack: string }, output: ChildOutput | undefined) =>
  supervise(
    'core',
    options.corePort,
    port =>
      startChild({
        name: 'core',
        script: join(ROOT, 'core', `server${MODULE_EXTENSION}`),
        args: [HAS_WATCHER],
        onLine: output?.onLine,
        env: {
          MIEN_DATA: options.data,
          MIEN_CORE_PORT: String(port),
          MIEN_CORE_HOST: options.coreHost,
          MIEN_CONFIG: options.config ?? '',
          MIEN_BACKUP_TO: options.backupTo,
          MIEN_PACK: options.pack,
          [fileOf(OPERATOR_KEY)]: absolute(process.env[fileOf(OPERATOR_KEY)]),
        },
      }),
    giveUp,
  )

async function startEdge(
  options: StartOptions,
  pack: string,
  coreUrl: string,
  output: ChildOutput | undefined,
): Promise<Supervised> {
  const secrets = await openSecrets(options.data)
  const cores = [coreUrl, ...(options.otherCores ? [options.otherCores] : [])].join()
  const bindings = edgeBindings(cores, process.env.MIEN_EDGE_SECRET || secrets.edge[0].key)
  const settingsOn = (port: number): EdgeSettings => ({
    host: options.host,
    port,
    workers: options.edgeWorkers,
    trustedProxies: options.trustedProxies,
    bindings,
    data: options.data,
    pack,
  })
  return supervise(
    'the edge',
    options.edgePort,
    port =>
      startChild({
        name: 'the edge',
        script: join(ROOT, 'commands', 'processes', `serve-edge${MODULE_EXTENSION}`),
        onLine: output?.onLine,
        // The edge gets no secrets that it does not need.
        env: HIDDEN_SECRETS,
        message: settingsOn(port),
      }),
    giveUp,
  )
}

/** Throws unless the edge answers a request that needs core. */
async function refuseSilence({ edge, token }: Ready) {
  const response = await fetch(`${edge}/v0/galleries`, { headers: { authorization: `Token ${token}` } })
  if (!response.ok) throw new Error(`The API answers ${response.status}; it should list its galleries.`)
}

/** Stops the children in sequence: the watcher posts its last events, then core serves active requests of the edge. */
async function stop(data: string, children: readonly (Pick<Supervised, 'stop'> | undefined)[]) {
  console.log('\nStopping ...')
  await removeReady(data)
  for (const child of children) await child?.stop(CHILD_GRACE_MS)
  process.exit(0)
}

/** The children detect that the launcher has exited, and stop. */
function giveUp() {
  console.error('It does not stay alive: everything stops. The lines above, or in the log, say why.')
  process.exit(1)
}

async function refuseTakenPort(option: string, host: string, port: number) {
  const fault = await faultOfPort(host, port)
  if (fault === 'EADDRINUSE')
    throw new Error(`Port ${port} of ${host} is taken. Choose another one: mien start ${option} N`)
  if (fault !== undefined)
    throw new Error(`${host}:${port} can't be listened on (${fault}). See ${option} and --host.`)
}

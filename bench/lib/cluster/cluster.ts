/** A full cluster: nginx, two edges, two cores, two shards in PostgreSQL, and one libSQL server, each on a separate loopback address. */

import { randomBytes } from 'node:crypto'
import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openSecrets, SECRETS_FILE } from '#core/configuration/secrets.ts'
import { databaseCommand } from '#test/support/servers/database-server.ts'
import {
  before,
  install,
  isInstalled,
  NGINX,
  nginxFile,
  type Upstreams,
} from '#test/support/servers/nginx.ts'
import { times } from '#test/support/times.ts'
import { runMien } from '#test/support/typed.ts'
import { type Rig, ROOT } from '../../rig.ts'
import { type Node, nodeOf, type Program } from './node.ts'

export interface Cluster {
  /** Entry points for callers: the proxy, or the edges where nginx is not installed. */
  doors: string[]
  edges: Node[]
  cores: Node[]
  shards: Node[]
  database: Node
  /** Creates the token of a new owner. */
  newToken(owner: string): string
  /** Folder with a folder of each part, and its output as NAME.log. */
  folder: string
}

const PROXY_PORT = 8080
const EDGE_PORT = 8787
const CORE_PORT = 8788
const DATABASE_PORT = 8080
const SHARD_PORT = 5432
const CELLS = 1024
const SIZE = 2
/** Last byte of the first part's address. The callers have 127.0.0.1. */
const FIRST_HOST = 11

interface ClusterOptions {
  /** The checkout that a part starts from, by its name. Called at each start. */
  checkoutOf?: (name: string) => string
}

/** Resolves when every program is ready. */
export async function startCluster(rig: Rig, options: ClusterOptions = {}): Promise<Cluster> {
  const { checkoutOf = () => ROOT } = options
  const folder = await rig.folder()
  let hosts = FIRST_HOST
  const node = (name: string, program: Program) =>
    nodeOf(`127.0.0.${hosts++}`, program, { name, log: join(folder, `${name}.log`) })
  const two = (kind: string, programOf: (name: string) => Program) =>
    times(SIZE, i => node(`${kind}${i + 1}`, programOf(`${kind}${i + 1}`)))

  const database = node('database', {
    port: DATABASE_PORT,
    command: address => databaseCommand(`${address}:${DATABASE_PORT}`, join(folder, 'database', 'kept')),
    ready: '/health',
  })
  const shards = two('shard', name => ({
    port: SHARD_PORT,
    command: address => [
      process.execPath,
      join(import.meta.dirname, 'pglite.ts'),
      address,
      String(SHARD_PORT),
      join(folder, name, 'kept'),
    ],
    ready: `:${SHARD_PORT + 1}/`,
  }))
  const secret = () => randomBytes(24).toString('hex')
  const secrets = { MIEN_OPERATOR_TOKEN: secret(), MIEN_EDGE_SECRET: secret() }
  const shared = {
    ...secrets,
    MIEN_DATABASE_URL: database.origin,
    MIEN_SHARDS: join(folder, 'shards.json'),
    MIEN_PERSON_IDENTIFY: 'true',
    MIEN_PERSON_IDENTIFY_GLOBAL: 'true',
    MIEN_STORE_PICTURES: 'false',
  }
  const half = (name: string, half: 'core' | 'edge', environment: Record<string, string>) => ({
    command: (address: string) => [
      process.execPath,
      join(checkoutOf(name), 'commands', 'mien.js'),
      half,
      '--host',
      address,
    ],
    environment: { ...environment, MIEN_DATA: join(folder, name) },
  })
  const cores = two('core', name => ({
    port: CORE_PORT,
    ready: '/readyz',
    ...half(name, 'core', { ...shared, MIEN_CORE_PORT: String(CORE_PORT) }),
  }))
  const edges = two('edge', name => {
    const urls = cores.map(({ origin }) => origin).join()
    const environment = { ...secrets, MIEN_CORE_URL: urls, MIEN_EDGE_PORT: String(EDGE_PORT) }
    return { port: EDGE_PORT, ready: '/healthz', ...half(name, 'edge', environment) }
  })
  const proxies = isInstalled ? [node('proxy', proxy(join(folder, 'proxy'), edges, cores))] : []
  const all = [database, ...shards, ...cores, ...edges, ...proxies]

  await writeFile(shared.MIEN_SHARDS, JSON.stringify(layout(shards)))
  for (const one of all) {
    await mkdir(join(folder, one.name), { recursive: true })
  }
  await shareSecrets(cores.map(({ name }) => join(folder, name)))
  // An edge stops workerd, and nginx its workers, when they exit in order.
  const parents = [...edges, ...proxies]
  for (const one of all) rig.defer(() => one.stop(parents.includes(one) ? 'SIGTERM' : 'SIGKILL'))
  await Promise.all([database, ...shards].map(one => one.start()))
  for (const one of [...cores, ...edges, ...proxies]) await one.start()
  return {
    edges,
    cores,
    shards,
    database,
    folder,
    doors: (proxies.length > 0 ? proxies : edges).map(({ origin }) => origin),
    newToken: owner =>
      runMien(['token', 'create', '--owner', owner, '--new-owner'], {
        ...shared,
        MIEN_DATA: join(folder, cores[0]!.name),
      }).stdout.trim(),
  }
}

/** The address and port of a part. */
const hostOf = ({ origin }: Node) => new URL(origin).host

/** nginx before the edges. */
function proxy(folder: string, edges: readonly Node[], cores: readonly Node[]): Program {
  const upstreams = { edges: edges.map(hostOf), core: hostOf(cores[0]!) }
  return {
    port: PROXY_PORT,
    command: address => proxyCommand(folder, `${address}:${PROXY_PORT}`, upstreams),
    ready: '/healthz',
  }
}

/**
 * Removed directives: certificates do not exist here, and all clients share one address, which the per-address limits
 * would block.
 */
const LEFT_OUT = /^\s*(ssl_\w+|limit_(conn|req)\w*|add_header Strict-Transport-Security) .*;\n/gm

/** The command that runs nginx on this address and port with the file of deploy/nginx. Its files are in the folder. */
function proxyCommand(folder: string, listen: string, upstreams: Upstreams) {
  const site = before(nginxFile('mien.conf'), upstreams, folder)
    .replace(LEFT_OUT, '')
    .replace('listen 443 ssl;', `listen ${listen};`)
    // Errors of requests are logged for diagnosis. The benchmark has no private data.
    .replace('mien-errors.log crit', 'mien-errors.log info')
  return [NGINX, ...install(folder, 'mien.conf', site)]
}

/** Copies the secrets of the first core: cores on one database must sign links with the same key. */
async function shareSecrets([first, ...others]: readonly string[]) {
  await openSecrets(first!)
  for (const other of others) await copyFile(join(first!, SECRETS_FILE), join(other, SECRETS_FILE))
}

/** Divides the cells of the store equally among the shards. PGlite never syncs. */
const layout = (shards: readonly Node[]) =>
  shards.map((shard, i) => {
    const [first, end] = [i, i + 1].map(part => Math.round((part * CELLS) / shards.length)) as [
      number,
      number,
    ]
    const address = `postgres://postgres@${hostOf(shard)}/postgres?fsync=off&sslmode=disable`
    return { address, cells: `${first}-${end - 1}` }
  })

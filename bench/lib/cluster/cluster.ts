/** Starts a full cluster on separate hosts: a proxy, two edges, three cores, four shards and one database. */
import { randomBytes } from 'node:crypto'
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSecrets, SECRETS_FILE } from '#core/configuration/secrets.ts'
import { databaseCommand } from '../../harness/database-server.ts'
import { isInstalled } from '../../harness/nginx.ts'
import { createToken } from '../../harness/tokens.ts'
import { type Host, makeNetwork, type Network } from './network.ts'
import { type Node, nodeOf, type Program } from './node.ts'
import { proxyCommand } from './proxy.ts'

export interface Cluster {
  network: Network
  /** Entry points for callers: the proxy, or the edges without a proxy. */
  doors: string[]
  /** False when nginx is not installed. */
  hasProxy: boolean
  edges: Node[]
  cores: Node[]
  shards: Node[]
  database: Node
  /** Creates the token of a new owner. */
  newToken(owner: string): string
  /** Folder of the programs' output. Exists until `remove`. */
  folder: string
  remove(): Promise<void>
}

const ROOT = join(import.meta.dirname, '..', '..', '..')
const PROXY_PORT = 8080
const EDGE_PORT = 8787
const CORE_PORT = 8788
const DATABASE_PORT = 8080
const CELLS = 1024

export interface ClusterOptions {
  edges?: number
  cores?: number
  shards?: number
  /** The checkout that a part starts from, by its name. Called at each start. */
  checkoutOf?: (name: string) => string
  /** Words before the command that starts a part on its host, by its name. Called at each start. */
  launcherOf?: (name: string) => readonly string[]
  /** Prefix and subnet of the network. Default: those of makeNetwork. */
  networkOf?: Parameters<typeof makeNetwork>[0]
  /** Further settings of the cores, when the network exists. `bridge` is the address of this process. */
  coreSettings?: (bridge: string) => Promise<Record<string, string>>
  /** The host name of a part in the settings of others. Called once for each part. Default: its address. */
  hostNameOf?: (part: Host & { name: string }) => string
  /** Prepares the empty data folder of a part. Returns the function that undoes it. */
  prepareFolder?: (folder: string) => () => void
}

/** Resolves when every program is ready. */
export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const { checkoutOf = () => ROOT, launcherOf = () => [], prepareFolder } = options
  const { networkOf, coreSettings, hostNameOf = ({ address }) => address } = options
  const size = { edges: options.edges ?? 2, cores: options.cores ?? 3, shards: options.shards ?? 4 }
  const folder = await mkdtemp(join(tmpdir(), 'mien-cluster-'))
  const network = makeNetwork(networkOf)
  const secret = () => randomBytes(24).toString('hex')
  const secrets = { MIEN_OPERATOR_TOKEN: secret(), MIEN_EDGE_SECRET: secret() }
  const hostNames = new Map<Host, string>()
  const node = (name: string, program: Omit<Program, 'name' | 'log'>): Node => {
    const host = network.host(name)
    hostNames.set(host, hostNameOf({ name, ...host }))
    return nodeOf(host, {
      ...program,
      name,
      log: join(folder, `${name}.log`),
      launcher: () => launcherOf(name),
    })
  }
  const urlOf = ({ host, origin }: Node) => origin.replace(host.address, hostNames.get(host)!)
  const many = (count: number, kind: string, make: (name: string) => Node): Node[] =>
    Array.from({ length: count }, (_, i) => make(`${kind}${i + 1}`))

  const database = node('database', {
    port: DATABASE_PORT,
    command: () => databaseCommand(`0.0.0.0:${DATABASE_PORT}`, join(folder, 'database')),
    readyPath: '/health',
  })
  const mien = (name: string, half: 'core' | 'edge') => () => [
    process.execPath,
    join(checkoutOf(name), 'commands', 'mien.js'),
    half,
  ]
  const shards = many(size.shards, 'shard', name =>
    node(name, { ...core(join(folder, name), secrets), command: mien(name, 'core') }),
  )
  const shared = {
    ...secrets,
    MIEN_DATABASE_URL: urlOf(database),
    MIEN_SHARDS: join(folder, 'shards.json'),
    MIEN_PERSON_IDENTIFY: 'true',
    MIEN_PERSON_IDENTIFY_GLOBAL: 'true',
    MIEN_STORE_PICTURES: 'false',
    ...(await coreSettings?.(network.bridge)),
  }
  const cores = many(size.cores, 'core', name =>
    node(name, { ...core(join(folder, name), shared), command: mien(name, 'core') }),
  )
  const edges = many(size.edges, 'edge', name => {
    const list = cores.map(urlOf).join(',')
    const settings = { ...secrets, MIEN_CORE_URL: list }
    return node(name, { ...edge(join(folder, name), settings), command: mien(name, 'edge') })
  })
  const proxies = isInstalled ? [node('proxy', proxy(join(folder, 'proxy'), { edges, cores }))] : []
  const all = [database, ...shards, ...cores, ...edges, ...proxies]

  // An edge stops workerd, and nginx its workers, when they exit in order.
  const parents = [...edges, ...proxies]
  const end = async () => {
    for (const one of all.toReversed()) await one.stop(parents.includes(one) ? 'SIGTERM' : 'SIGKILL')
  }

  await writeFile(shared.MIEN_SHARDS, JSON.stringify(layout(shards.map(urlOf))))
  const undo: (() => void)[] = []
  for (const one of all) {
    const path = join(folder, one.name)
    await mkdir(path, { recursive: true })
    // The proxy has its files already.
    if (prepareFolder && !proxies.includes(one)) undo.push(prepareFolder(path))
  }
  await shareSecrets(cores.map(({ name }) => join(folder, name)))
  const cluster: Cluster = {
    network,
    doors: (proxies.length > 0 ? proxies : edges).map(({ origin }) => origin),
    hasProxy: proxies.length > 0,
    edges,
    cores,
    shards,
    database,
    folder,
    newToken: owner =>
      createToken(['--owner', owner], {
        ...process.env,
        ...shared,
        MIEN_DATABASE_URL: database.origin,
        MIEN_DATA: join(folder, 'core1'),
      }),
    async remove() {
      await end()
      network.remove()
      for (const step of undo) step()
      await rm(folder, { recursive: true, force: true, maxRetries: 3 })
    },
  }
  try {
    for (const one of all) await one.start()
  } catch (cause) {
    await end()
    network.remove()
    for (const step of undo) step()
    throw new Error(`The cluster did not start; what it said is in ${folder}.`, { cause })
  }
  return cluster
}

const core = (data: string, environment: Record<string, string>) => ({
  port: CORE_PORT,
  environment: {
    ...environment,
    MIEN_DATA: data,
    MIEN_CORE_HOST: '0.0.0.0',
    MIEN_CORE_PORT: String(CORE_PORT),
  },
  readyPath: '/readyz',
})

const edge = (data: string, environment: Record<string, string>) => ({
  port: EDGE_PORT,
  environment: {
    ...environment,
    MIEN_DATA: data,
    MIEN_HOST: '0.0.0.0',
    MIEN_EDGE_PORT: String(EDGE_PORT),
  },
  readyPath: '/healthz',
})

const proxy = (folder: string, { edges, cores }: Record<'edges' | 'cores', readonly Node[]>) => {
  const addresses = (nodes: readonly Node[]) => nodes.map(({ origin }) => new URL(origin).host)
  const upstreams = { edges: addresses(edges), core: addresses(cores)[0]! }
  const command = proxyCommand(folder, PROXY_PORT, upstreams)
  return { port: PROXY_PORT, command: () => command, readyPath: '/healthz' }
}

/** Copies the secrets of the first core: cores on one database must sign links with the same key. */
async function shareSecrets([first, ...others]: readonly string[]): Promise<void> {
  await openSecrets(first!)
  for (const other of others) await copyFile(join(first!, SECRETS_FILE), join(other, SECRETS_FILE))
}

/** Divides the cells of the store equally among the shards. */
const layout = (shards: readonly string[]) =>
  shards.map((address, i) => {
    const [first, end] = [i, i + 1].map(part => Math.round((part * CELLS) / shards.length)) as [
      number,
      number,
    ]
    return { address, cells: `${first}-${end - 1}` }
  })

/** Parses the options of `mien start` and `mien edge`. */
import { createServer } from 'node:net'
import { availableParallelism } from 'node:os'
import { parseEnv } from '../../edge/env.ts'
import { trustedProxies } from '../edge-proxy/headers.ts'
import { type GlobalOptions, UsageError } from '../terminal/command-line.ts'
import { dataFolder, pathOf } from '../terminal/paths.ts'

/** The options of `mien start` as they were typed, or as variables give them. */
export interface GivenOptions extends GlobalOptions {
  /** Ports; 0 selects any free port. */
  edgePort: string
  corePort: string
  /** Address that the edge listens on. */
  host: string
  coreHost: string
  /** Comma-separated URLs of other cores on the same database. */
  otherCores?: string
  /** Number of edge worker processes. */
  edgeWorkers?: string
  /** Addresses of proxies whose X-Forwarded-For, -Proto and -Host are trusted. */
  trustedProxies?: string
  /** The API's options file; core uses the data folder's file when absent. */
  config?: string
  /** Name of the pack to fetch and to choose. */
  pack?: string
  /** Whether a watcher of cameras runs beside the service. */
  watch?: boolean
  /** Repository of backups that a program beside the service makes. */
  backupTo?: string
}

export type StartOptions = ReturnType<typeof startOptions>

/** Parses the options, with absolute paths. Throws UsageError. */
export function startOptions(given: GivenOptions, env: NodeJS.ProcessEnv = process.env) {
  return {
    data: dataFolder(given.data, env),
    config: given.config ? pathOf(given.config, env) : undefined,
    edgePort: portOf('--edge-port', given.edgePort),
    corePort: portOf('--core-port', given.corePort),
    host: given.host,
    otherCores: given.otherCores ?? '',
    edgeWorkers: workersOf(given.edgeWorkers),
    trustedProxies: proxiesOf(given.trustedProxies),
    coreHost: given.coreHost,
    pack: given.pack,
    watch: given.watch ?? false,
    backupTo: given.backupTo ?? '',
  }
}

/** Text bindings of the edge worker for these cores. Throws an Error that names an invalid variable. */
export function edgeBindings(cores: string, secret: string, env: NodeJS.ProcessEnv = process.env) {
  const bindings = {
    CORE_URL: cores,
    EDGE_SECRET: secret,
    PUBLIC_URL: env.MIEN_PUBLIC_URL ?? '',
    CORS_ORIGINS: env.MIEN_CORS_ORIGINS ?? '',
    LOG_REQUESTS: env.MIEN_LOG_REQUESTS ?? '',
  }
  parseEnv(bindings)
  return bindings
}

/** Parses a port. Throws UsageError that names the option. */
export function portOf(option: string, text: string): number {
  const number = Number(text)
  if (/^\d{1,5}$/.test(text) && number <= 65_535) return number
  throw new UsageError(`${option} takes a port from 0 to 65535, not "${text}".`)
}

/** The error code of listening on a port; undefined when it is free. */
export const faultOfPort = (host: string, port: number): Promise<string | undefined> =>
  new Promise(resolve => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)))
  })

/** Upper bound of worker processes. */
const MOST_WORKERS = 256

/**
 * Parses the number of edge worker processes; by default the number of processors minus one, at least 1. Throws
 * UsageError that names the option.
 */
export function workersOf(text: string | undefined): number {
  if (!text) return Math.max(1, availableParallelism() - 1)
  const number = Number(text)
  if (/^\d+$/.test(text) && number >= 1 && number <= MOST_WORKERS) return number
  throw new UsageError(`--edge-workers takes a number from 1 to ${MOST_WORKERS}, not "${text}".`)
}

/** Checks a list of proxies and returns it. Throws UsageError that names the invalid entry. */
export function proxiesOf(list = ''): string {
  try {
    trustedProxies(list)
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
  return list.trim()
}

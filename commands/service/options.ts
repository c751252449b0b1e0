/** Reads the options of `npm start` from arguments and environment variables. */
import { availableParallelism } from 'node:os'
import { trustedProxies } from '../edge-proxy/headers.ts'
import { argumentsOf } from '../terminal/command-line.ts'
import { dataFolder, pathOf } from '../terminal/paths.ts'
import { UsageError } from '../terminal/usage-error.ts'

export interface StartOptions {
  /** Absolute path of the data folder. */
  data: string
  /** Ports; 0 selects any free port. */
  edgePort: number
  corePort: number
  /** Address that the edge listens on. */
  host: string
  coreHost: string
  /** Comma-separated URLs of other cores on the same database; empty when there are none. */
  otherCores: string
  /** Number of edge worker processes. */
  edgeWorkers: number
  /** Addresses of proxies whose X-Forwarded-Proto and X-Forwarded-Host are trusted; empty when there are none. */
  trustedProxies: string
  /** Absolute path of the API's options file; core uses the data folder's file when absent. */
  config: string | undefined
}

export const USAGE = `npm start -- [options]

Builds what is missing, then runs core and the edge until Ctrl-C.

Options:
  --data DIR           data folder (MIEN_DATA; default: data in the project)
  --edge-port N        port of the API (MIEN_EDGE_PORT; default: 8787)
  --core-port N        port of core (MIEN_CORE_PORT; default: 8788)
  --host ADDRESS       address of the API (MIEN_HOST; default: 127.0.0.1)
  --core-host ADDRESS  address of core (MIEN_CORE_HOST; default: 127.0.0.1)
  --other-cores URLS   cores elsewhere, on the same database (MIEN_OTHER_CORES)
  --edge-workers N     edge processes
                       (MIEN_EDGE_WORKERS; default: processors - 1, at least 1)
  --trusted-proxies LIST  proxies whose X-Forwarded-Proto and X-Forwarded-Host
                       count: addresses, CIDR blocks or "loopback"
                       (MIEN_TRUSTED_PROXIES; default: none)
  --config FILE        API configuration
                       (MIEN_CONFIG; default: facenapi.ini in the data folder)
  -h, --help           print this help

A port of 0 takes any that is free. In a terminal, log lines go to
log/mien.log in the data folder; otherwise they go to standard output.

Example:
  npm start -- --data /srv/mien --edge-port 80 --host 0.0.0.0`

const OPTIONS = {
  data: { type: 'string' },
  'edge-port': { type: 'string' },
  'core-port': { type: 'string' },
  host: { type: 'string' },
  'core-host': { type: 'string' },
  'other-cores': { type: 'string' },
  'edge-workers': { type: 'string' },
  'trusted-proxies': { type: 'string' },
  config: { type: 'string' },
} as const

/** Parses the options, which override the environment. Throws UsageError. */
export function startOptions(args: string[], env: NodeJS.ProcessEnv, root: string): StartOptions {
  const { values } = argumentsOf({ usage: USAGE, options: OPTIONS }, args)
  const config = values.config ?? env.MIEN_CONFIG
  return {
    data: dataFolder(values.data, root, env),
    config: config ? pathOf(config, env) : undefined,
    edgePort: portOf('--edge-port', values['edge-port'] ?? env.MIEN_EDGE_PORT ?? '8787'),
    corePort: portOf('--core-port', values['core-port'] ?? env.MIEN_CORE_PORT ?? '8788'),
    host: values.host ?? env.MIEN_HOST ?? '127.0.0.1',
    otherCores: values['other-cores'] ?? env.MIEN_OTHER_CORES ?? '',
    edgeWorkers: workersOf(values['edge-workers'] ?? env.MIEN_EDGE_WORKERS),
    trustedProxies: proxiesOf(values['trusted-proxies'] ?? env.MIEN_TRUSTED_PROXIES),
    coreHost: values['core-host'] ?? env.MIEN_CORE_HOST ?? '127.0.0.1',
  }
}

/** Parses a port. Throws UsageError that names the option. */
export function portOf(option: string, text: string): number {
  const number = Number(text)
  if (/^\d{1,5}$/.test(text) && number <= 65_535) return number
  throw new UsageError(`${option} takes a port from 0 to 65535, not "${text}".`)
}

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

/** The origin of a server on this address. A wildcard address becomes loopback. */
export function originOf(host: string, port: number): string {
  const reachable = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}

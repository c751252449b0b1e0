/** What `npm start` can be told, by option or environment variable. */
import { parseArgs } from 'node:util'
import { dataFolder, pathOf } from './paths.ts'

export interface StartOptions {
  /** Absolute path of the data folder. */
  data: string
  /** Ports; 0 takes any that is free. */
  edgePort: number
  corePort: number
  /** Address that the edge listens on. */
  host: string
  coreHost: string
  /** URLs of cores that run elsewhere and keep what ours keeps, with commas between; empty where there are none. */
  otherCores: string
  /** Absolute path of the API's options; core looks into the data folder when absent. */
  config: string | undefined
}

export const USAGE = `npm start -- [options]

  --data DIR          data folder                      MIEN_DATA       (./data of the project)
  --edge-port N       port of the API                  MIEN_EDGE_PORT  (8787)
  --core-port N       port of core                     MIEN_CORE_PORT  (8788)
  --host ADDRESS      address that the API listens on  MIEN_HOST       (127.0.0.1)
  --core-host ADDRESS address that core listens on     MIEN_CORE_HOST  (127.0.0.1)
  --other-cores URLS  cores elsewhere, on the same database    MIEN_OTHER_CORES
  --config FILE       the API's options            MIEN_CONFIG     (facenapi.ini in the data folder)
  --help

A port of 0 takes any that is free.`

/** Options win over the environment. Throws an Error with a message for the operator. */
export function startOptions(args: string[], env: NodeJS.ProcessEnv, root: string): StartOptions | 'help' {
  const { values } = parseArgs({
    args,
    options: {
      data: { type: 'string' },
      'edge-port': { type: 'string' },
      'core-port': { type: 'string' },
      host: { type: 'string' },
      'core-host': { type: 'string' },
      'other-cores': { type: 'string' },
      config: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) return 'help'
  const config = values.config ?? env.MIEN_CONFIG
  return {
    data: dataFolder(values.data, root, env),
    config: config ? pathOf(config, env) : undefined,
    edgePort: portOf('--edge-port', values['edge-port'] ?? env.MIEN_EDGE_PORT ?? '8787'),
    corePort: portOf('--core-port', values['core-port'] ?? env.MIEN_CORE_PORT ?? '8788'),
    host: values.host ?? env.MIEN_HOST ?? '127.0.0.1',
    otherCores: values['other-cores'] ?? env.MIEN_OTHER_CORES ?? '',
    coreHost: values['core-host'] ?? env.MIEN_CORE_HOST ?? '127.0.0.1',
  }
}

/** A port as it was typed. Throws an Error that names the option. */
export function portOf(option: string, text: string): number {
  const number = Number(text)
  if (/^\d{1,5}$/.test(text) && number <= 65_535) return number
  throw new Error(`${option} takes a port from 0 to 65535, not "${text}".`)
}

/** The origin of a server on this address; a wildcard address is reached through loopback. */
export function originOf(host: string, port: number): string {
  const reachable = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}

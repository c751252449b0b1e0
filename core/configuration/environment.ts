/** The configuration of core: one typed value, from the environment's MIEN_ variables. */
import { resolve } from 'node:path'
import * as z from 'zod'

/** Something an operator has to put right; its message says what. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError'
}

export interface Configuration {
  /** Absolute path of the folder that holds everything core keeps. */
  data: string
  host: string
  /** 0 takes any free port. */
  port: number
  /** `host:port`, exactly: photos may be fetched from these whatever their address. */
  photoHosts: ReadonlySet<string>
  /** Shared with the edge; the data folder's own secret when absent. */
  edgeSecret: string | undefined
  /** Absolute path of the file that holds the API's options; `facenapi.ini` in the data folder when absent. */
  optionsFile: string | undefined
}

const HostAndPort = z
  .string()
  .regex(/^(\[[0-9a-f:.]+\]|[a-z0-9_.-]+):\d{1,5}$/, 'must be a comma-separated list of host:port')

const Environment = z.object({
  MIEN_DATA: z.string().default('data'),
  MIEN_CORE_HOST: z.string().default('127.0.0.1'),
  MIEN_CORE_PORT: z.coerce
    .number('must be a port number')
    .int('must be a port number')
    .min(0, 'must be a port number')
    .max(65_535, 'must be a port number')
    .default(8788),
  MIEN_PHOTO_HOSTS: z
    .string()
    .transform(list =>
      list
        .toLowerCase()
        .split(',')
        .flatMap(item => item.trim() || []),
    )
    .pipe(z.array(HostAndPort))
    .default([]),
  MIEN_EDGE_SECRET: z.string().min(32, 'must have at least 32 characters').optional(),
  MIEN_CONFIG: z.string().optional(),
})

/** Reads the configuration. Throws ConfigurationError naming every variable that is wrong; empty ones count as unset. */
export function readConfiguration(environment: Record<string, string | undefined>): Configuration {
  const set = Object.entries(environment).filter(([, value]) => value !== undefined && value !== '')
  const parsed = Environment.safeParse(Object.fromEntries(set))
  if (!parsed.success) {
    const complaints = parsed.error.issues.map(issue => `${String(issue.path[0])} ${issue.message}`)
    throw new ConfigurationError([...new Set(complaints)].join('\n'))
  }
  const { data } = parsed
  return {
    data: resolve(data.MIEN_DATA),
    host: data.MIEN_CORE_HOST,
    port: data.MIEN_CORE_PORT,
    photoHosts: new Set(data.MIEN_PHOTO_HOSTS),
    edgeSecret: data.MIEN_EDGE_SECRET,
    optionsFile: data.MIEN_CONFIG && resolve(data.MIEN_CONFIG),
  }
}

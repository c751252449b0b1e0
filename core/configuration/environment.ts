/** Parses the configuration of core from the environment's MIEN_ variables into one typed value. */

import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import * as z from 'zod'
import { type DatabaseAddress, faultOfUrl, isFile } from '../metadata/connection/address.ts'
import { isLoopbackHost } from '../network/addresses.ts'
import { bucketAddress } from '../pictures/bucket/address.ts'
import { type Layout, parseLayout } from '../vector-store/sharding/layout.ts'
import { PROVIDER_VARIABLES, providerIn } from './provider.ts'

/** Argument of a core whose launcher starts the watcher of cameras. */
export const HAS_WATCHER = '--has-watcher'

/** An error that an operator has to correct. The message states the mistake. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError'
}

const HostAndPort = z
  .string()
  .regex(/^(\[[0-9a-f:.]+\]|[a-z0-9_.-]+):\d{1,5}$/, 'must be a comma-separated list of host:port')

const Hosts = z
  .string()
  .transform(list =>
    list
      .toLowerCase()
      .split(',')
      .flatMap(item => item.trim() || []),
  )
  .pipe(z.array(HostAndPort))
  .default([])

const secret = z.string().min(32, 'must have at least 32 characters')

const truth = z.stringbool({
  truthy: ['true', '1', 'yes'],
  falsy: ['false', '0', 'no'],
  error: 'must be true or false',
})

const DatabaseUrl = z.string().superRefine((url, context) => {
  const fault = faultOfUrl(url)
  if (fault !== undefined) context.addIssue(fault)
})

const DatabaseUrls = z
  .string()
  .transform(list => list.split(',').map(url => url.trim()))
  .pipe(z.array(DatabaseUrl))

const RATE = 'must be a number of requests, above 0'

const FACES = 'must be a number of faces, 1 or more'

const Environment = z.object({
  MIEN_DATA: z.string().default('data'),
  MIEN_CORE_HOST: z.string().default('127.0.0.1'),
  MIEN_CORE_PORT: z.coerce
    .number('must be a port number')
    .int('must be a port number')
    .min(0, 'must be a port number')
    .max(65_535, 'must be a port number')
    .default(8788),
  MIEN_PHOTO_HOSTS: Hosts,
  MIEN_WEBHOOK_HOSTS: Hosts,
  MIEN_EDGE_SECRET: secret.optional(),
  MIEN_EDGE_SECRET_PREVIOUS: secret.optional(),
  MIEN_CONFIG: z.string().optional(),
  MIEN_PACK: z.string().optional(),
  MIEN_DATABASE_URL: DatabaseUrl.optional(),
  MIEN_DATABASE_TOKEN: z.string().optional(),
  MIEN_DATABASE_REPLICAS: DatabaseUrls.optional(),
  MIEN_SHARDS: z.string().optional(),
  MIEN_OPERATOR_TOKEN: secret.regex(/^[\x21-\x7e]+$/, 'must be plain characters without spaces').optional(),
  MIEN_REQUESTS_PER_SECOND: z.coerce.number(RATE).positive(RATE).optional(),
  MIEN_INDEX_ABOVE: z.coerce.number(FACES).int(FACES).min(1, FACES).optional(),
  MIEN_PICTURES: z
    .string()
    .refine(
      address => bucketAddress(address),
      'must be like s3://bucket/prefix?endpoint=https://host&region=name, with nothing secret in it',
    )
    .optional(),
  MIEN_BACKUP_TO: z.string().optional(),
  MIEN_STORE_PICTURES: truth.default(true),
  MIEN_STORE_PHOTO_NAMES: truth.default(true),
  ...PROVIDER_VARIABLES,
})

/** Whether the URLs can be replicas of the database: servers at other hosts or ports. */
const areReplicas = (urls: readonly string[], database: DatabaseAddress) =>
  !isFile(database) && urls.every(url => !isFile({ url }) && new URL(url).host !== new URL(database.url).host)

/** Reads the configuration. Throws ConfigurationError with all invalid variables. Empty variables count as unset. */
export function readConfiguration(environment: Record<string, string | undefined>) {
  const set = Object.entries(environment).filter(([, value]) => value !== undefined && value !== '')
  const parsed = Environment.safeParse(Object.fromEntries(set))
  if (!parsed.success) {
    const complaints = parsed.error.issues.map(issue => `${String(issue.path[0])} ${issue.message}`)
    throw new ConfigurationError([...new Set(complaints)].join('\n'))
  }
  const { data } = parsed
  const host = data.MIEN_CORE_HOST
  if (!isLoopbackHost(host) && data.MIEN_OPERATOR_TOKEN === undefined) {
    throw new ConfigurationError(
      `MIEN_OPERATOR_TOKEN must be set, to 32 characters or more, because core listens on ${host}: ` +
        'anybody who can reach that could read and change the store.',
    )
  }
  if (data.MIEN_EDGE_SECRET !== undefined && data.MIEN_EDGE_SECRET === data.MIEN_OPERATOR_TOKEN) {
    throw new ConfigurationError(
      'MIEN_EDGE_SECRET and MIEN_OPERATOR_TOKEN must differ: the token is sent with requests, the secret never is.',
    )
  }
  const database: DatabaseAddress | undefined = data.MIEN_DATABASE_URL
    ? {
        url: data.MIEN_DATABASE_URL,
        token: data.MIEN_DATABASE_TOKEN,
        replicas: data.MIEN_DATABASE_REPLICAS,
      }
    : undefined
  const replicas = data.MIEN_DATABASE_REPLICAS ?? []
  if (replicas.length > 0 && !(database && areReplicas(replicas, database)))
    throw new ConfigurationError(
      'MIEN_DATABASE_REPLICAS must be replicas of the server at MIEN_DATABASE_URL, at other addresses',
    )
  const provider = providerIn(data)
  if (typeof provider === 'string') throw new ConfigurationError(provider)
  return {
    /** Absolute path of the data folder, which holds all data of core. */
    data: resolve(data.MIEN_DATA),
    host,
    /** 0 selects any free port. */
    port: data.MIEN_CORE_PORT,
    /** `host:port`, matched exactly: photos may be fetched from these hosts, and messages of alert rules posted, at any address. */
    photoHosts: new Set(data.MIEN_PHOTO_HOSTS),
    webhookHosts: new Set(data.MIEN_WEBHOOK_HOSTS),
    /** Secret shared with the edge, the data folder's own when absent; and the previous one, which is still accepted. */
    edgeSecret: data.MIEN_EDGE_SECRET,
    edgeSecretPrevious: data.MIEN_EDGE_SECRET_PREVIOUS,
    /** Absolute path of the API's options file; `facenapi.ini` in the data folder when absent. */
    optionsFile: data.MIEN_CONFIG && resolve(data.MIEN_CONFIG),
    /** The pack to use; the data folder's choice when absent. */
    pack: data.MIEN_PACK,
    /** Address of the metadata; a file in the data folder when absent. */
    database,
    /** Absolute path of the list of the store's shards; the remembered list of the data folder when absent. */
    shardsFile: data.MIEN_SHARDS && resolve(data.MIEN_SHARDS),
    /** Token of the store interface, here and at other cores. Required unless the host is loopback. */
    operatorToken: data.MIEN_OPERATOR_TOKEN,
    /** Number of faces above which a gallery gets an index automatically; the store's default when absent. */
    indexAbove: data.MIEN_INDEX_ABOVE,
    /** Address of the bucket for pictures; the remembered one of the data folder when absent. */
    pictures: data.MIEN_PICTURES,
    /** Whether thumbnails and normalized faces of new faces are stored; whether names and URLs of their photos are. */
    storePictures: data.MIEN_STORE_PICTURES,
    storePhotoNames: data.MIEN_STORE_PHOTO_NAMES,
    /** Default rate limit of a token in requests per second; unlimited when absent. */
    requestsPerSecond: data.MIEN_REQUESTS_PER_SECOND,
    /** The repository of backups that a program beside core makes; see commands/backup/follow.ts. */
    backupTo: data.MIEN_BACKUP_TO,
    /** Where people sign in; absent without an OpenID provider. */
    provider,
  }
}

export type Configuration = ReturnType<typeof readConfiguration>

/**
 * The layout of the shards in the file that MIEN_SHARDS names; undefined when no file is named. Throws ConfigurationError,
 * and LayoutRefused for an invalid list.
 */
export async function readLayout(file: string | undefined): Promise<Layout | undefined> {
  if (file === undefined) return undefined
  const text = await readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw new ConfigurationError(`${file}, which MIEN_SHARDS names, can't be read (${cause.code}).`, {
      cause,
    })
  })
  return parseLayout(text, file)
}

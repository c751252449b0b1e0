/** The configuration of core: one typed value, from the environment's MIEN_ variables. */
import { resolve } from 'node:path'
import * as z from 'zod'
import { type DatabaseAddress, faultOfUrl } from '../metadata/connection/address.ts'
import { bucketAddress } from '../pictures/bucket/address.ts'
import { isLoopbackHost } from './loopback.ts'

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
  /** The shared secret before that one: accepted still. */
  edgeSecretPrevious: string | undefined
  /** Absolute path of the file that holds the API's options; `facenapi.ini` in the data folder when absent. */
  optionsFile: string | undefined
  /** The pack to use; the one that is chosen in the data folder when absent. */
  pack: string | undefined
  /** Where the metadata is; a file in the data folder when absent. */
  database: DatabaseAddress | undefined
  /** Absolute path of the list of the store's shards; as the data folder remembers when absent. */
  shardsFile: string | undefined
  /** What operators of the store, here and at other cores, are known by. There is one unless the host is loopback. */
  operatorToken: string | undefined
  /** Faces of a gallery above which an index is made by itself; the store's own default when absent. */
  indexAbove: number | undefined
  /** Searches look at indexes alone, where there are any. */
  onlyIndex: boolean
  /** The address of the bucket that pictures are kept in; as the data folder remembers when absent. */
  pictures: string | undefined
  /** Thumbnails and normalized faces of new faces are kept; the names and URLs of their photos are. */
  storePictures: boolean
  storePhotoNames: boolean
  /** Requests that a token may make, where it has no number of its own; without a bound when absent. */
  requestsPerSecond: number | undefined
}

const HostAndPort = z
  .string()
  .regex(/^(\[[0-9a-f:.]+\]|[a-z0-9_.-]+):\d{1,5}$/, 'must be a comma-separated list of host:port')

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
  MIEN_EDGE_SECRET: secret.optional(),
  MIEN_EDGE_SECRET_PREVIOUS: secret.optional(),
  MIEN_CONFIG: z.string().optional(),
  MIEN_PACK: z.string().optional(),
  MIEN_DATABASE_URL: DatabaseUrl.optional(),
  MIEN_DATABASE_TOKEN: z.string().optional(),
  MIEN_SHARDS: z.string().optional(),
  MIEN_OPERATOR_TOKEN: secret.regex(/^[\x21-\x7e]+$/, 'must be plain characters without spaces').optional(),
  MIEN_REQUESTS_PER_SECOND: z.coerce.number(RATE).positive(RATE).optional(),
  MIEN_INDEX_ABOVE: z.coerce.number(FACES).int(FACES).min(1, FACES).optional(),
  MIEN_ONLY_INDEX: truth.default(false),
  MIEN_PICTURES: z
    .string()
    .refine(
      address => bucketAddress(address),
      'must be like s3://bucket/prefix?endpoint=https://host&region=name, with nothing secret in it',
    )
    .optional(),
  MIEN_STORE_PICTURES: truth.default(true),
  MIEN_STORE_PHOTO_NAMES: truth.default(true),
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
  const host = data.MIEN_CORE_HOST
  if (!isLoopbackHost(host) && data.MIEN_OPERATOR_TOKEN === undefined) {
    throw new ConfigurationError(
      `MIEN_OPERATOR_TOKEN must be set, to 32 characters or more, because core listens on ${host}: ` +
        'whoever reaches that could read and change the store.',
    )
  }
  if (data.MIEN_EDGE_SECRET !== undefined && data.MIEN_EDGE_SECRET === data.MIEN_OPERATOR_TOKEN) {
    throw new ConfigurationError(
      'MIEN_EDGE_SECRET and MIEN_OPERATOR_TOKEN must differ: the token is sent with requests, the secret never is.',
    )
  }
  return {
    data: resolve(data.MIEN_DATA),
    host,
    port: data.MIEN_CORE_PORT,
    photoHosts: new Set(data.MIEN_PHOTO_HOSTS),
    edgeSecret: data.MIEN_EDGE_SECRET,
    edgeSecretPrevious: data.MIEN_EDGE_SECRET_PREVIOUS,
    optionsFile: data.MIEN_CONFIG && resolve(data.MIEN_CONFIG),
    pack: data.MIEN_PACK,
    database: data.MIEN_DATABASE_URL
      ? { url: data.MIEN_DATABASE_URL, token: data.MIEN_DATABASE_TOKEN }
      : undefined,
    shardsFile: data.MIEN_SHARDS && resolve(data.MIEN_SHARDS),
    operatorToken: data.MIEN_OPERATOR_TOKEN,
    indexAbove: data.MIEN_INDEX_ABOVE,
    onlyIndex: data.MIEN_ONLY_INDEX,
    pictures: data.MIEN_PICTURES,
    storePictures: data.MIEN_STORE_PICTURES,
    storePhotoNames: data.MIEN_STORE_PHOTO_NAMES,
    requestsPerSecond: data.MIEN_REQUESTS_PER_SECOND,
  }
}

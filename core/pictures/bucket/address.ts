/** Parses bucket addresses as operators write them; an address contains no secret. */
import * as z from 'zod'

export interface BucketAddress {
  bucket: string
  /** Prefix of all object keys: "" or, for example, `faces/`. */
  prefix: string
  /** Origin and optional path of the server. The bucket is the next path segment. */
  endpoint: string
  region: string
}

/** Credentials that sign requests. */
export interface BucketKeys {
  accessKeyId: string
  secretAccessKey: string
}

/** Characters that need no escape in a path, in XML and in a signature. */
const PREFIX = /^(\/[\w.-]+)*\/?$/

const AddressParameters = z.strictObject({
  endpoint: z.string().optional(),
  region: z
    .string()
    .regex(/^[a-z0-9-]{1,64}$/)
    .default('us-east-1'),
})

/** Parses an address; undefined when it is invalid. Without an endpoint, the bucket is on AWS in its region. */
export function bucketAddress(text: string): BucketAddress | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol !== 's3:' || url.hash !== '' || url.username !== '' || url.password !== '')
    return undefined
  const { data } = AddressParameters.safeParse(Object.fromEntries(url.searchParams))
  const path = url.pathname.replace(/\/$/, '')
  if (!data || !/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(url.host) || !PREFIX.test(path)) return undefined
  // The URL parser resolves paths like /a/../b. A changed path is refused.
  if (text.split('?')[0]?.replace(/\/$/, '') !== `s3://${url.host}${path}`) return undefined
  const endpoint = endpointOf(data.endpoint ?? `https://s3.${data.region}.amazonaws.com`)
  if (endpoint === undefined) return undefined
  return {
    bucket: url.host,
    prefix: path === '' ? '' : `${path.slice(1)}/`,
    endpoint,
    region: data.region,
  }
}

function endpointOf(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || !PREFIX.test(url.pathname)) return undefined
  const endpoint = url.origin + url.pathname.replace(/\/$/, '')
  // The comparison fails for a URL with credentials or parameters.
  return url.href.replace(/\/$/, '') === endpoint ? endpoint : undefined
}

/** URL of the pictures, which identifies their place regardless of credentials and region. */
export const bucketUrl = ({ endpoint, bucket, prefix }: BucketAddress): string =>
  `${endpoint}/${bucket}/${prefix}`

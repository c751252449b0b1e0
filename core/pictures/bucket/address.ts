/** The address of a bucket, as an operator writes it and as it is recorded: without anything secret. */
import * as z from 'zod'

export interface BucketAddress {
  bucket: string
  /** What the keys of all our objects begin with: "" or like `faces/`. */
  prefix: string
  /** Origin, and path where there is one, of the server; the bucket is the next part of the path. */
  endpoint: string
  region: string
}

/** What requests are signed with. */
export interface BucketKeys {
  accessKeyId: string
  secretAccessKey: string
}

/** Characters that mean the same in a path, in XML and in a signature. */
const PREFIX = /^(\/[\w.-]+)*\/?$/

const Parameters = z.strictObject({
  endpoint: z.string().optional(),
  region: z
    .string()
    .regex(/^[a-z0-9-]{1,64}$/)
    .default('us-east-1'),
})

/** Undefined for what is none. Without an endpoint it is a bucket of AWS, in its region. */
export function bucketAddress(text: string): BucketAddress | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol !== 's3:' || url.hash !== '' || url.username !== '' || url.password !== '')
    return undefined
  const { data } = Parameters.safeParse(Object.fromEntries(url.searchParams))
  const path = url.pathname.replace(/\/$/, '')
  if (!data || !/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(url.host) || !PREFIX.test(path)) return undefined
  // What is read otherwise than it is written, such as /a/../b, is meant otherwise too.
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
  // Anything else in it would make this fail: a name and a password, parameters.
  return url.href.replace(/\/$/, '') === endpoint ? endpoint : undefined
}

/** Where the pictures are, however it is asked. */
export const keptAt = ({ endpoint, bucket, prefix }: BucketAddress): string =>
  `${endpoint}/${bucket}/${prefix}`

/** Determines the origin of links in responses: the configured origin, the origin from a trusted proxy, or the request's own. */
import { wrongValue } from '../../contract/errors.ts'

interface OriginOptions {
  /** Overrides all other sources, unless "". */
  publicUrl: string
  /** True when a proxy in front replaces X-Forwarded-Proto and X-Forwarded-Host of its callers. */
  trustForwarded: boolean
}

/** A host name or an IP address, with an optional port. Container names may contain underscores. */
const HOST = /^(?:[a-z0-9._-]{1,253}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i

/** Throws BAD_PARAM for an invalid Host header, because every link in the response would contain it. */
export function originOf(
  { url, headers }: Pick<Request, 'url' | 'headers'>,
  { publicUrl, trustForwarded }: OriginOptions,
): string {
  const [, scheme = '', host = ''] = /^(https?):\/\/([^/?#]*)/i.exec(url) ?? []
  const own = originFrom(scheme, host)
  const sent = headers.get('host') ?? host
  if (own === undefined || !HOST.test(sent))
    throw wrongValue('Host', sent, 'a host name or an IP address with an optional port')
  if (publicUrl) return publicUrl
  if (!trustForwarded) return own
  const proto = first(headers.get('x-forwarded-proto')).toLowerCase()
  const forwardedScheme = proto === 'http' || proto === 'https' ? proto : scheme
  return (
    originFrom(forwardedScheme, first(headers.get('x-forwarded-host'))) ??
    originFrom(forwardedScheme, host) ??
    own
  )
}

/** The first of several values; the outermost proxy set it. */
const first = (header: string | null) => header?.split(',')[0]?.trim() ?? ''

/** The origin in lower case without a default port; undefined for an invalid host. */
function originFrom(scheme: string, host: string): string | undefined {
  const origin = `${scheme}://${host}`
  return HOST.test(host) && URL.canParse(origin) ? new URL(origin).origin : undefined
}

/** The origin that links in answers start with: configured, named by a trusted proxy, or the request's own. */
import { unexpected } from '../../core/contract/errors.ts'

export interface OriginOptions {
  /** Wins over everything else where it is not "". */
  publicUrl: string
  /** A proxy in front replaces X-Forwarded-Proto and X-Forwarded-Host of callers with its own. */
  trustForwarded: boolean
}

/** A host name or an IP address, with an optional port. Underscores occur in names of containers. */
const HOST = /^(?:[a-z0-9._-]{1,253}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i

/** Throws BAD_PARAM for a Host header that names no host: every link in the answer would carry it. */
export function originOf(
  { url, headers }: Pick<Request, 'url' | 'headers'>,
  { publicUrl, trustForwarded }: OriginOptions,
): string {
  const [, scheme = '', host = ''] = /^(https?):\/\/([^/?#]*)/i.exec(url) ?? []
  const own = joined(scheme, host)
  const sent = headers.get('host') ?? host
  if (own === undefined || !HOST.test(sent))
    throw unexpected('Host', sent, 'a host name or an IP address with an optional port')
  if (publicUrl) return publicUrl
  if (!trustForwarded) return own
  const proto = first(headers.get('x-forwarded-proto')).toLowerCase()
  const forwardedScheme = proto === 'http' || proto === 'https' ? proto : scheme
  return (
    joined(forwardedScheme, first(headers.get('x-forwarded-host'))) ?? joined(forwardedScheme, host) ?? own
  )
}

/** The first of several values: what the outermost proxy saw. */
const first = (header: string | null): string => header?.split(',')[0]?.trim() ?? ''

/** An origin without the default port, in lower case; undefined when the host is none. */
function joined(scheme: string, host: string): string | undefined {
  const origin = `${scheme}://${host}`
  return HOST.test(host) && URL.canParse(origin) ? new URL(origin).origin : undefined
}

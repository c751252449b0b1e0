/** Address of metadata outside the data folder: a libSQL server, or a file elsewhere. */

export interface DatabaseAddress {
  /** `libsql://`, `https://` or `http://` and a server, or `file:` and an absolute path. Contains no secret. */
  url: string
  /** Access token for the server. */
  token?: string | undefined
  /** URLs of replicas of the server. A change is acknowledged when one of them has it. */
  replicas?: readonly string[] | undefined
}

/**
 * Why a URL is not a valid address; undefined when it is valid. Tokens in URLs are refused because logs contain the
 * URL.
 */
export function faultOfUrl(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  switch (url?.protocol) {
    case 'file:':
      return /^file:\/(\/\/)?[^/]/.test(text) ? undefined : 'must name a file by its absolute path'
    case 'libsql:':
    case 'https:':
    case 'http:':
      if (url.username || url.password || url.searchParams.has('authToken'))
        return 'must not have a token in it: that is for MIEN_DATABASE_TOKEN'
      return undefined
    default:
      return 'must be like "libsql://host", "https://host:port", "http://host:port" or "file:/folder/file"'
  }
}

export const isFile = ({ url }: DatabaseAddress): boolean => url.startsWith('file:')

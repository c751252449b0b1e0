/** Masks credentials of URLs: a user with a password before the host, and values of parameters that cameras read as secrets. */

const MASK = '***'

/** Scheme, user with password, and the rest, as ffmpeg splits them: the user ends at the last @ before a slash, ? or #. */
const URL_PARTS = /^([a-z][a-z0-9+.-]*:\/\/)?([^/?#]*@)?(.*)$/is

/** As PARTS, for a URL whose password has a slash, ? or # that is not encoded. */
const MALFORMED = /^([a-z][a-z0-9+.-]*:\/\/)(.*@)(.*)$/is

/**
 * The value of a parameter with a secret, in the query or the path, up to the next &; its name is captured. `_` separates
 * parameters of some cameras. The name is looked for from each `=` backwards, in linear time: errors show texts of callers.
 */
const SECRET =
  /(?<=((?:pas|pw|user|usr|login|account|token|key|auth|secret|sig|cred|session)[a-z0-9_.-]*=))[^&]+/gi

/** The URL with its credentials replaced by `***`. Other texts stay as they are. */
export function maskedUrl(url: string): string {
  const { scheme, user, rest } = partsOf(url)
  return `${scheme}${user && `${MASK}@`}${rest.replace(SECRET, MASK)}`
}

/** Whether a part of the URL is masked. */
export function isMasked(url: string): boolean {
  const { user, rest } = partsOf(url)
  return user === `${MASK}@` || [...rest.matchAll(SECRET)].some(([value]) => value === MASK)
}

/**
 * The masked URL with the credentials of the stored one. Undefined when scheme, host or port differ, or a masked part is not
 * stored: credentials never go to another host.
 */
export function unmaskedUrl(masked: string, stored: string): string | undefined {
  if (masked === maskedUrl(stored)) return stored
  const [sent, known] = [partsOf(masked), partsOf(stored)]
  if (originOf(sent) !== originOf(known)) return
  const secrets = new Map([...known.rest.matchAll(SECRET)].map(([value, name]) => [name, value]))
  const user = sent.user === `${MASK}@` ? known.user : sent.user
  const rest = sent.rest.replace(SECRET, (value, name: string) =>
    value === MASK ? (secrets.get(name) ?? MASK) : value,
  )
  const url = `${sent.scheme}${user}${rest}`
  return isMasked(url) || (sent.user && !user) ? undefined : url
}

interface UrlParts {
  scheme: string
  /** With the @ at its end. */
  user: string
  rest: string
}

function partsOf(url: string): UrlParts {
  const [, scheme = '', user = '', rest = ''] =
    (URL.canParse(url) ? null : MALFORMED.exec(url)) ?? URL_PARTS.exec(url)!
  return { scheme, user, rest }
}

const originOf = ({ scheme, rest }: UrlParts) => `${scheme}${/^[^/?#]*/.exec(rest)![0]}`.toLowerCase()

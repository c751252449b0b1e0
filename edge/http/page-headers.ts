/** Security headers of the service's HTML pages. */

/**
 * Headers that block external and inline resources and framing. `allowed` lists additional directives of the Content Security
 * Policy for the resources of a page. Icons are `data:` URLs on every page.
 */
export const pageHeaders = (...allowed: readonly string[]) => ({
  'content-security-policy': [
    "default-src 'none'",
    ...allowed,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
})

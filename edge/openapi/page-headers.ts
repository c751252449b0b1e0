/** What the service's own pages may do in a browser. */

/**
 * Nothing from elsewhere, nothing inline, no frames. `allowed` lists the directives that say what a page may load; icons are
 * `data:` URLs on every page.
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

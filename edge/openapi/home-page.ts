/** The start page: one HTML file without scripts and without external resources. */
import { VERSIONS } from '../operations/route.ts'
import { pageHeaders } from './page-headers.ts'

const STYLE = `
:root { color-scheme: light dark; --line: light-dark(#d5dae1, #3a4250); --muted: light-dark(#5a6472, #9aa5b4) }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 42rem; margin: 3rem auto; padding: 0 1.25rem }
h1 { margin: 0; font-size: 2rem } h2 { margin: 2rem 0 .5rem; font-size: 1.1rem }
p { margin: .25rem 0 } .muted { color: var(--muted) }
dl { display: grid; grid-template-columns: 8rem 1fr; border-top: 1px solid var(--line); margin: 0 }
dt, dd { border-bottom: 1px solid var(--line); margin: 0; padding: .5rem 0 }
.ready { color: light-dark(#176b3a, #6fd79b) } .away { color: light-dark(#a1260d, #ff9c85) }
pre { border: 1px solid var(--line); border-radius: 6px; overflow-x: auto; padding: .75rem }
`

/** HTML of the start page. `isCoreReady` is undefined before the first check. `origin` is the origin of the example request. */
export const homePage = (isCoreReady: boolean | undefined, origin: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Mien</title>
    <link rel="icon" href="data:,">
    <style>${STYLE}</style>
  </head>
  <body>
    <h1>Mien</h1>
    <p class="muted">A face recognition service: finds faces on photos, compares them, stores them and searches for them.</p>
    <h2>State</h2>
    <dl>
      <dt>Edge</dt><dd class="ready">answers</dd>
      <dt>Core</dt>${coreState(isCoreReady)}
    </dl>
    <h2>Documents</h2>
    <dl>${VERSIONS.map(version => documentsOf(version)).join('')}
    </dl>
    <h2>First request</h2>
    <p>Every operation needs a token.</p>
    <pre><code>curl -H "Authorization: Token $TOKEN" -F photo=@photo.jpg \\
  ${escaped(origin)}/v1/detect</code></pre>
  </body>
</html>
`

const escaped = (text: string): string => text.replace(/[&<>"]/g, one => `&#${one.charCodeAt(0)};`)

function coreState(isReady: boolean | undefined): string {
  if (isReady === undefined) return '<dd>is being asked; load this page again</dd>'
  if (isReady) return '<dd class="ready">ready</dd>'
  return '<dd class="away">not ready: requests that need it are answered with 503. The log of the edge says more.</dd>'
}

const documentsOf = (version: string): string => `
      <dt>${version}</dt>
      <dd><a href="${version}/docs/${version}/overview.html">try it out</a>, <a href="docs/${version}">OpenAPI document</a></dd>`

/** Response headers of the start page. The policy allows only the page's own style, by its hash, and images in data URLs. */
export async function homeHeaders(): Promise<Record<string, string>> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(STYLE))
  const hash = btoa(String.fromCharCode(...new Uint8Array(digest)))
  return {
    'content-type': 'text/html; charset=utf-8',
    ...pageHeaders(`style-src 'sha256-${hash}'`, 'img-src data:'),
    'cache-control': 'no-store',
    vary: 'Accept',
  }
}

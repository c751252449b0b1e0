/** The frame of each page: name of the service, head of the page, and links to the documentation. */
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { hashOf, type Route } from '../route.ts'
import { TEXTS } from '../texts.ts'

/** The name of Mien with its mark: the corners of a face box. */
export const Wordmark = () => (
  <>
    <svg class="logo" viewBox="0 0 32 32" aria-hidden="true">
      <path d="M5 12V9a4 4 0 0 1 4-4h3M20 5h3a4 4 0 0 1 4 4v3M27 20v3a4 4 0 0 1-4 4h-3M12 27H9a4 4 0 0 1-4-4v-3" />
      <circle cx="16" cy="16" r="4" />
    </svg>{' '}
    {TEXTS.name}
  </>
)

interface Properties {
  /** Undefined where `children` have the heading. */
  title?: string
  intro?: string
  /** The page that this one belongs to, and the text of its link. */
  back?: { route: Route; text: string }
  children?: ComponentChildren
}

export function PageHead({ title, intro, back, children }: Properties) {
  // The title of the window tells tabs, and entries of the history, apart.
  useEffect(() => {
    const heading = document.querySelector('h1')
    if (heading) document.title = `${heading.textContent} · ${TEXTS.name}`
  })
  return (
    <header class="stack tight page-head">
      {back && (
        <a class="small" href={hashOf(back.route)}>
          {back.text}
        </a>
      )}
      {title !== undefined && <h1>{title}</h1>}
      {intro !== undefined && <p class="lead">{intro}</p>}
      {children}
    </header>
  )
}

interface SectionsProperties {
  label: string
  links: readonly { hash: string; text: string; isCurrent: boolean }[]
}

/** Links between the parts of a page. */
export const Sections = ({ label, links }: SectionsProperties) => (
  <nav class="tabs" aria-label={label}>
    {links.map(({ hash, text, isCurrent }) => (
      <a key={hash} href={hash} aria-current={isCurrent ? 'page' : undefined}>
        {text}
      </a>
    ))}
  </nav>
)

const VERSIONS = ['v0', 'v1']

/** At the end of the page for visitors who are not signed in. */
export const Documents = () => (
  <footer class="documents">
    <DocumentLinks />
  </footer>
)

export const DocumentLinks = () => (
  <nav class="row small" aria-label={TEXTS.documents.label}>
    {VERSIONS.map(version => (
      <a key={version} href={`${version}/docs/${version}/overview.html`}>
        {TEXTS.documents.tryOut(version)}
      </a>
    ))}
    {VERSIONS.map(version => (
      <a key={version} href={`docs/${version}`}>
        {TEXTS.documents.openapi(version)}
      </a>
    ))}
  </nav>
)

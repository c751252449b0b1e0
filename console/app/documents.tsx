/** Links to the documentation of the service. */
import { TEXTS } from '../texts.ts'

const VERSIONS = ['v0', 'v1']

export const Documents = () => (
  <footer class="documents">
    <nav aria-label={TEXTS.documents.label}>
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
  </footer>
)

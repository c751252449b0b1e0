/** `npm run openapi`: writes the API's documents, as the service answers them, to docs/openapi. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { documentOf } from '../edge/documents/document.ts'
import { OPERATIONS } from '../edge/operations.ts'
import { VERSIONS, type Version } from '../edge/route.ts'

const FOLDER = join(import.meta.dirname, '..', 'docs', 'openapi')

/** Where the document of a version is kept. */
export const documentPath = (version: Version): string => join(FOLDER, `${version}.json`)

/** What is kept there. */
export const documentText = (version: Version): string =>
  `${JSON.stringify(documentOf(version, OPERATIONS), null, 2)}\n`

if (import.meta.main) {
  await mkdir(FOLDER, { recursive: true })
  for (const version of VERSIONS) await writeFile(documentPath(version), documentText(version))
}

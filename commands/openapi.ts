/** `npm run openapi`: writes the OpenAPI documents that the service returns to docs/openapi. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { documentOf } from '../edge/openapi/document.ts'
import { VERSIONS, type Version } from '../edge/operations/route.ts'
import { OPERATIONS } from '../edge/operations/table.ts'
import { isMainScript } from './service/main-script.ts'
import { runCommand } from './terminal/command-line.ts'

const FOLDER = join(import.meta.dirname, '..', 'docs', 'openapi')

/** Path of the document of a version. */
export const documentPath = (version: Version): string => join(FOLDER, `${version}.json`)

/** Content of the document of a version. */
export const documentText = (version: Version): string =>
  `${JSON.stringify(documentOf(version, OPERATIONS), null, 2)}\n`

const USAGE = `npm run openapi

Writes the API's OpenAPI documents to docs/openapi.

Options:
  -h, --help  print this help

Example:
  npm run openapi`

if (isMainScript(import.meta))
  await runCommand({ usage: USAGE, options: {} }, async () => {
    await mkdir(FOLDER, { recursive: true })
    for (const version of VERSIONS) await writeFile(documentPath(version), documentText(version))
    return 0
  })

/** `npm run openapi`: writes the OpenAPI document of v1 that the service returns to docs/openapi, and the types of the clients. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import openapiTypes, { astToString } from 'openapi-typescript'
import type { Version } from '../../contract/operations/operation.ts'
import { OPERATIONS } from '../../contract/operations/table.ts'
import { documentOf } from '../../edge/openapi/document.ts'
import { runScript } from '../terminal/command-line.ts'
import { compactJson } from './compact-json.ts'
import { pythonTypes } from './python-types.ts'

const ROOT = join(import.meta.dirname, '..', '..')

/** Path of the document of v1, which has every operation and parameter. */
export const DOCUMENT_PATH = join(ROOT, 'docs', 'openapi', 'v1.json')

/** Path of the types of the TypeScript client. */
export const TYPES_PATH = join(ROOT, 'clients', 'typescript', 'src', 'schema.ts')

/** Content of the document of a version. */
export const documentText = (version: Version): string => `${compactJson(documentOf(version, OPERATIONS))}\n`

/** Content of the types of the TypeScript client: those of v1. */
export const typesText = async (): Promise<string> =>
  `/** Types of the API. \`npm run openapi\` generates them from the OpenAPI document of v1. */\n\n${astToString(
    await openapiTypes(documentText('v1')),
  )}`

/** Modules of the Python client with types, by their paths. */
export const pythonModules = (): [path: string, text: string][] =>
  Object.entries(pythonTypes(documentOf('v1', OPERATIONS))).map(([file, text]) => [
    join(ROOT, 'clients', 'python', 'mien', file),
    text,
  ])

await runScript(
  import.meta,
  ['npm run openapi', 'Writes the OpenAPI document of v1 to docs/openapi, and the types of the clients.'],
  async () => {
    await writeFile(DOCUMENT_PATH, documentText('v1'))
    await writeFile(TYPES_PATH, await typesText())
    for (const [path, text] of pythonModules()) await writeFile(path, text)
    return 0
  },
)

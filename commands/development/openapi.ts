/** `npm run openapi`: writes what derives from the declarations of operations: a document, modules of the clients, and words of the console. */
import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import openapiTypes, { astToString } from 'openapi-typescript'
import type { Version } from '../../contract/operations/operation.ts'
import { OPERATIONS } from '../../contract/operations/table.ts'
import { documentOf } from '../../edge/openapi/build-document.ts'
import { runScript } from '../terminal/command-line.ts'
import { ROOT } from '../terminal/paths.ts'
import { pythonMethods } from './python-methods.ts'
import { pythonTypes } from './python-types.ts'
import { typescriptMethods, typescriptTypes } from './typescript-methods.ts'

const BIOME = join(ROOT, 'node_modules', '@biomejs', 'biome', 'bin', 'biome')

/** Path of the document of v1, which has every operation and parameter. */
export const DOCUMENT_PATH = join(ROOT, 'docs', 'openapi', 'v1.json')

/** Content of the document of a version. Biome breaks its lines, for people who read differences. */
export const documentText = (version: Version): string =>
  execFileSync(process.execPath, [BIOME, 'format', '--stdin-file-path=document.json'], {
    cwd: ROOT,
    encoding: 'utf8',
    input: JSON.stringify(documentOf(version, OPERATIONS)),
  })

/** Interfaces of openapi-typescript that the client uses. */
const USED_TYPES = ['components', 'operations']

/** Words of the audit log, by the names of messages. */
const operationWords = () =>
  `${JSON.stringify(Object.fromEntries(OPERATIONS.flatMap(({ core: { name, words } }) => (words ? [[name, words]] : []))), null, 2)}\n`

/**
 * Generated modules of the clients, and words of the console, by their paths. The types come from v1, which has every operation
 * and parameter.
 */
export async function generatedFiles(): Promise<[path: string, text: string][]> {
  const declared = await openapiTypes(JSON.stringify(documentOf('v1', OPERATIONS)))
  const types = astToString(
    declared.filter(node => USED_TYPES.includes((node as { name?: { text: string } }).name?.text ?? '')),
  )
  const typescript = {
    'schema.ts': `/** Types of the API. \`npm run openapi\` generates them from the OpenAPI document of v1. */\n\n${types}`,
    'types.ts': typescriptTypes(),
    'methods.ts': typescriptMethods(),
  }
  const python = { ...pythonTypes(), 'methods.py': pythonMethods() }
  const below = (folder: string[], modules: Record<string, string>) =>
    Object.entries(modules).map(([file, text]): [string, string] => [
      join(ROOT, 'clients', ...folder, file),
      text,
    ])
  return [
    ...below(['typescript', 'src'], typescript),
    ...below(['python', 'mien'], python),
    [join(ROOT, 'console', 'texts', 'operation-words.json'), operationWords()],
  ]
}

await runScript(
  import.meta,
  [
    'npm run openapi',
    'Writes the OpenAPI document of v1, types and methods of the clients, and words of the console.',
  ],
  async () => {
    await writeFile(DOCUMENT_PATH, documentText('v1'))
    for (const [path, text] of await generatedFiles()) await writeFile(path, text)
    return 0
  },
)

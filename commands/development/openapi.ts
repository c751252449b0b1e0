/** `npm run openapi`: writes what derives from the declarations of operations: a document, modules of the clients, and words of the console. */
import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Version } from '../../contract/operations/operation.ts'
import { OPERATIONS } from '../../contract/operations/table.ts'
import { documentOf } from '../../edge/openapi/build-document.ts'
import { buildClientTypes, DOCUMENT_PATH } from '../build/assets.ts'
import { runScript } from '../terminal/command-line.ts'
import { ROOT } from '../terminal/paths.ts'
import { pythonMethods } from './python-methods.ts'
import { pythonTypes } from './python-types.ts'
import { typescriptMethods, typescriptTypes } from './typescript-methods.ts'

const BIOME = join(ROOT, 'node_modules', '@biomejs', 'biome', 'bin', 'biome')

/** Content of the document of a version. Biome breaks its lines, for people who read differences. */
export const documentText = (version: Version): string =>
  execFileSync(process.execPath, [BIOME, 'format', '--stdin-file-path=document.json'], {
    cwd: ROOT,
    encoding: 'utf8',
    input: JSON.stringify(documentOf(version, OPERATIONS)),
  })

/** Words of the audit log, by the names of messages. */
const operationWords = () => {
  const words = OPERATIONS.flatMap(({ core: { name, words } }) => (words ? [[name, words]] : []))
  return `${JSON.stringify(Object.fromEntries(words), null, 2)}\n`
}

/** Generated modules of the clients that run, and words of the console, by their paths in the repository. */
export const generatedFiles = (): Record<string, string> => ({
  'clients/typescript/src/types.ts': typescriptTypes(),
  'clients/typescript/src/methods.ts': typescriptMethods(),
  ...pythonTypes(),
  'clients/python/mien/methods.py': pythonMethods(),
  'console/texts/operation-words.json': operationWords(),
})

await runScript(
  import.meta,
  [
    'npm run openapi',
    'Writes the OpenAPI document of v1, types and methods of the clients, and words of the console.',
  ],
  async () => {
    await writeFile(DOCUMENT_PATH, documentText('v1'))
    await buildClientTypes()
    for (const [path, text] of Object.entries(generatedFiles())) await writeFile(join(ROOT, path), text)
    return 0
  },
)

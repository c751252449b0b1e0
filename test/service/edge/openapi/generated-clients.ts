/** Client programs of an API user: generated from the documents, type-checked, compiled and run. */
import { spawnSync } from 'node:child_process'
import { copyFile, mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createClient } from '@hey-api/openapi-ts'
import openapiTS, { astToString } from 'openapi-typescript'
import ts from 'typescript'
import type { OpenapiDocument } from '#edge/openapi/document.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..', '..')
const PROGRAMS = join(import.meta.dirname, 'programs')

/** All strict options that the generated code passes; the compiled program runs in Node. */
const COMPILER_OPTIONS = {
  target: 'ES2024',
  lib: ['ES2024', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'],
  module: 'NodeNext',
  types: ['node'],
  strict: true,
  noUncheckedIndexedAccess: true,
  verbatimModuleSyntax: true,
  skipLibCheck: true,
  rootDir: '.',
  outDir: 'built',
}

/** Prepares a folder for `compile`. */
export async function prepareProject(folder: string): Promise<void> {
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: COMPILER_OPTIONS }))
}

/** Generates both clients into `folder` and copies the programs there. */
export async function generateClients(
  folder: string,
  document: OpenapiDocument,
  programs: readonly string[],
): Promise<void> {
  await mkdir(folder, { recursive: true })
  const input = join(folder, 'openapi.json')
  await writeFile(input, JSON.stringify(document))
  const types = await openapiTS(JSON.stringify(document), { transform: filesAsBlobs })
  await writeFile(join(folder, 'schema.ts'), astToString(types))
  await createClient({
    input,
    output: { path: join(folder, 'sdk'), tsConfigPath: join(folder, '..', 'tsconfig.json') },
    logs: { level: 'silent', file: false },
  })
  for (const program of programs) await copyFile(join(PROGRAMS, program), join(folder, program))
}

/** openapi-typescript writes `string` for a file; its manual shows this transform for uploads. */
const filesAsBlobs = ({ format }: { format?: string }) =>
  format === 'binary' ? ts.factory.createTypeReferenceNode(ts.factory.createIdentifier('Blob')) : undefined

/** Type-checks and compiles the folder; returns the compiler's errors, "" if there are none. */
export const compile = (folder: string): string =>
  spawnSync(process.execPath, [join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', folder], {
    encoding: 'utf8',
  }).stdout

/** Runs a compiled program of the folder and parses its output as JSON. */
export function runProgram(folder: string, program: string, args: readonly string[]): unknown {
  const { stdout, stderr } = spawnSync(process.execPath, [join(folder, 'built', program), ...args], {
    encoding: 'utf8',
  })
  if (stdout === '') throw new Error(stderr)
  return JSON.parse(stdout)
}

/** A client program with types from openapi-typescript: it compiles, uploads photos and reads answers. */
import { spawnSync } from 'node:child_process'
import { copyFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import openapiTS, { astToString } from 'openapi-typescript'
import ts from 'typescript'
import { expect, inject, it } from 'vitest'
import { OPERATIONS } from '#contract/operations/table.ts'
import { documentOf } from '#edge/openapi/build-document.ts'
import { SAMPLES } from '#test/support/client.ts'
import { newToken } from '#test/support/tokens.ts'
import { temporaryFolder } from '#test/unit/core/folder.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..', '..')
const PROGRAM = 'openapi-fetch.ts'

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

/** openapi-typescript writes `string` for a file; its manual shows this transform for uploads. */
const filesAsBlobs = ({ format }: { format?: string }) =>
  format === 'binary' ? ts.factory.createTypeReferenceNode(ts.factory.createIdentifier('Blob')) : undefined

const node = (...args: string[]) => spawnSync(process.execPath, args, { encoding: 'utf8' })

it('a generated client passes the compiler, uploads photos and reads answers', {
  tags: 'long',
}, async () => {
  const folder = await temporaryFolder()
  const types = await openapiTS(JSON.stringify(documentOf('v1', OPERATIONS)), { transform: filesAsBlobs })
  await writeFile(join(folder, 'schema.ts'), astToString(types))
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: COMPILER_OPTIONS }))
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  await copyFile(join(import.meta.dirname, 'programs', PROGRAM), join(folder, PROGRAM))
  expect(node(join(ROOT, 'node_modules', 'typescript-native', 'bin', 'tsc'), '-p', folder).stdout).toBe('')
  const args = [`${inject('edge')}/v1`, newToken(inject('data'), 'generated'), join(SAMPLES, 'sample1.jpg')]
  const { stdout, stderr } = node(join(folder, 'built', PROGRAM.replace('.ts', '.js')), ...args)
  expect(stderr).toBe('')
  expect(JSON.parse(stdout)).toEqual({
    faces: 3,
    attributes: ['number', expect.stringMatching(/^(fe)?male$/), 2],
    scored: true,
    enrolled: [['Ann', ['default', 'staff']]],
    repeated: true,
    matches: [[true, 'Ann']],
    liveServers: expect.stringMatching(/^(\d+)\/\1$/),
    several: 3,
    deleted: 204,
    missing: [404, 'NOT_FOUND', true],
  })
})

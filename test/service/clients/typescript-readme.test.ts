import { spawnSync } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { SAMPLES } from '../../../bench/harness/client.ts'
import { newToken } from '../../../bench/harness/tokens.ts'
import { blocksOf, linesOf, promisedOutput, ROOT } from './samples.ts'

const PACKAGE = join(ROOT, 'clients', 'typescript')

/** The Node of the system, which may be older than that of the tests. */
function systemNode(): string {
  const found = (process.env.PATH ?? '').split(delimiter).map(folder => join(folder, 'node'))
  const other = found.find(node => {
    const { stdout } = spawnSync(node, ['--version'], { encoding: 'utf8' })
    return /^v(?:2[0-9]|[3-9][0-9])\./.test(stdout ?? '') && stdout.trim() !== process.version
  })
  return other ?? process.execPath
}

/** Options of a user's project. */
const COMPILER_OPTIONS = {
  target: 'ES2022',
  lib: ['ES2022', 'DOM', 'DOM.Iterable'],
  module: 'NodeNext',
  types: ['node'],
  strict: true,
  skipLibCheck: true,
}

/** Runs the TypeScript compiler; its messages, "" if there are none. */
const compile = (...args: string[]): string =>
  spawnSync(process.execPath, [join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc'), ...args], {
    encoding: 'utf8',
  }).stdout

describe('the README of the TypeScript client', () => {
  let folder: string
  let code: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mien-client-'))
    const installed = join(folder, 'node_modules', '@mien', 'client')
    await mkdir(installed, { recursive: true })
    await copyFile(join(PACKAGE, 'package.json'), join(installed, 'package.json'))
    expect(compile('-p', PACKAGE, '--outDir', join(installed, 'dist'))).toBe('')
    await symlink(join(ROOT, 'node_modules', '@types'), join(folder, 'node_modules', '@types'))
    code = (await blocksOf('clients/typescript/README.md', 'ts')).join('\n')
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: COMPILER_OPTIONS }))
    await writeFile(join(folder, 'samples.ts'), code)
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it('has samples that pass the compiler with the built package', () => {
    expect(compile('-p', folder)).toBe('')
  })

  it('has samples that print what they promise in the Node of the system', () => {
    const token = newToken(inject('data'), 'TypeScript samples')
    const { stdout, stderr } = spawnSync(systemNode(), [join(folder, 'samples.js')], {
      encoding: 'utf8',
      cwd: SAMPLES,
      env: { MIEN_URL: inject('edge'), MIEN_TOKEN: token },
    })
    expect(stderr).toBe('')
    expect(linesOf(stdout)).toEqual(promisedOutput(code))
  })
})

/** Samples of documentation run, and print what their comments promise. */
import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { inject } from 'vitest'
import { SAMPLES } from '#test/support/client.ts'
import { blocksOf } from '#test/support/documented.ts'
import { pythonMissing, runPython } from '#test/support/python.ts'
import { ROOT } from '#test/support/root.ts'
import { newToken } from '#test/support/tokens.ts'
import { temporaryFolder } from '#test/unit/core/folder.ts'

/** Time limit of a program. The timeout of a test does not help: its event loop is blocked. */
const LONGEST_MS = 110_000

/** The comments behind the lines that print, each the output of its line. */
const promisedOutput = (code: string) =>
  code
    .split('\n')
    .filter(line => /\b(?:console\.log|print)\(/.test(line))
    .map(line => /\s(?:\/\/|#) (.*)$/.exec(line)?.[1] ?? 'a line without a comment')

/** Lines of an output. */
const linesOf = (output: string) => output.split('\n').filter(line => line !== '')

/** Comments at the ends of commands: a part of their output. */
const promisedParts = (code: string) => code.split('\n').flatMap(line => / # (.*)$/.exec(line)?.[1] ?? [])

it('the page of ten tasks has curl commands that succeed and print what they promise, in order', {
  tags: 'long',
}, async () => {
  const code = blocksOf('docs/tasks.md', 'sh').join('\n')
  const { stdout, stderr, status } = spawnSync('bash', ['-euo', 'pipefail', '-s'], {
    input: code,
    encoding: 'utf8',
    timeout: LONGEST_MS,
    cwd: SAMPLES,
    env: {
      PATH: process.env.PATH,
      HOME: await temporaryFolder(),
      MIEN_URL: inject('edge'),
      MIEN_TOKEN: newToken(inject('data'), 'curl samples'),
    },
  })
  // The last command is refused on purpose.
  expect(stderr).toMatch(/^curl: \(22\) .* 400\n$/)
  expect(status).toBe(0)
  const parts = promisedParts(code)
  expect(parts.length).toBeGreaterThan(10)
  let rest = stdout
  for (const part of parts) {
    expect(rest).toContain(part)
    rest = rest.slice(rest.indexOf(part) + part.length)
  }
})

it.skipIf(pythonMissing)(
  'the Python client has a README whose samples print what they promise',
  { tags: ['long', 'python'] },
  async () => {
    const code = blocksOf('clients/python/README.md', 'python').join('\n')
    const env = { MIEN_URL: inject('edge'), MIEN_TOKEN: newToken(inject('data'), 'Python samples') }
    const { output, errors } = await runPython(code, env, SAMPLES)
    expect(errors).toBe('')
    expect(linesOf(output)).toEqual(promisedOutput(code))
  },
)

const PACKAGE = join(ROOT, 'clients', 'typescript')

/** The Node of the system. It may be older than the Node of the tests. */
function systemNode() {
  const found = (process.env.PATH ?? '').split(delimiter).map(folder => join(folder, 'node'))
  const other = found.find(node => {
    const { stdout } = spawnSync(node, ['--version'], { encoding: 'utf8' })
    return /^v(?:2[0-9]|[3-9][0-9])\./.test(stdout ?? '') && stdout.trim() !== process.version
  })
  return other ?? process.execPath
}

/** The environment without programs and settings of the repository. */
const OUTSIDE = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name))),
  PATH: (process.env.PATH ?? '')
    .split(delimiter)
    .filter(folder => !folder.startsWith(ROOT))
    .join(delimiter),
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
const compile = (...args: string[]) =>
  spawnSync(process.execPath, [join(ROOT, 'node_modules', 'typescript-native', 'bin', 'tsc'), ...args], {
    encoding: 'utf8',
  }).stdout

describe('the README of the TypeScript client', { tags: 'long' }, () => {
  let folder: string
  let code: string
  const npm = (cwd: string, ...args: string[]) => {
    const { status, stderr } = spawnSync('npm', args, {
      cwd,
      encoding: 'utf8',
      timeout: LONGEST_MS,
      env: OUTSIDE,
    })
    expect(status, stderr).toBe(0)
  }

  // Packs and installs a copy of clients/typescript, as a user without the repository does.
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mien-client-'))
    const copy = join(folder, 'copy')
    await cp(PACKAGE, copy, { recursive: true, filter: file => !/(dist|node_modules)$/.test(file) })
    await mkdir(join(copy, 'node_modules', '.bin'), { recursive: true })
    await mkdir(join(copy, 'node_modules', '@types'))
    for (const name of ['typescript', '@types/node'])
      await symlink(join(ROOT, 'node_modules', name), join(copy, 'node_modules', name))
    await symlink(join('..', 'typescript', 'bin', 'tsc'), join(copy, 'node_modules', '.bin', 'tsc'))
    npm(copy, 'pack', '--pack-destination', folder)
    code = blocksOf('clients/typescript/README.md', 'ts').join('\n')
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
    npm(folder, 'install', '--offline', '--no-audit', ...globSync('*.tgz', { cwd: folder }))
    await symlink(join(ROOT, 'node_modules', '@types'), join(folder, 'node_modules', '@types'))
    await writeFile(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: COMPILER_OPTIONS, include: ['samples.ts'] }),
    )
    await writeFile(join(folder, 'samples.ts'), code)
    await writeFile(join(folder, 'samples.mjs'), code)
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it('has samples that pass the compiler with the package', () => {
    expect(compile('-p', folder, '--noEmit')).toBe('')
  })

  it('has samples that print what they promise in the Node of the system, without a compiler', () => {
    const token = newToken(inject('data'), 'TypeScript samples')
    const { stdout, stderr, status } = spawnSync(systemNode(), [join(folder, 'samples.mjs')], {
      encoding: 'utf8',
      timeout: LONGEST_MS,
      cwd: SAMPLES,
      env: { MIEN_URL: inject('edge'), MIEN_TOKEN: token },
    })
    expect(stderr).toBe('')
    expect(status).toBe(0)
    expect(linesOf(stdout)).toEqual(promisedOutput(code))
  })

  it('comes with the compiler of the repository', async () => {
    const { devDependencies } = JSON.parse(await readFile(join(PACKAGE, 'package.json'), 'utf8'))
    const own = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')).devDependencies
    expect(own).toMatchObject(devDependencies)
  })
})

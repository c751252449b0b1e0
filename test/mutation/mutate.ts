/**
 * `npm run mutate`: removes awaited writes, locks of owners and owner conditions from core, one at a time in a copy, and prints those
 * that no test misses.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import ts from 'typescript'

const ROOT = join(import.meta.dirname, '..', '..')
const MUTATED = /^core\/(operations|metadata|vector-store|pictures)\/.*\.ts$/
const TESTS = /^test\/(unit|service)\/core\/.*\.test\.ts$/

/** The test of all operations with two owners. */
const OWNERS_TEST = 'test/service/core/metadata/owned.test.ts'

/** Arrows of imports from a test to the code that it tests: the test of an operation is also that of its queries. */
const DISTANCE = 2

/** A run that takes longer hangs, and fails. */
const RUN_MS = 600_000

/** Pauses, and waits for what happens anyway. */
const WAITS = /^(sleep|environment\.turn|turn)\b|\.promise$/

/** Kinds of mutants, the most dangerous first. */
type Kind = 'owner' | 'lock' | 'await'
const KINDS: readonly Kind[] = ['owner', 'lock', 'await']

interface Mutant {
  kind: Kind
  file: string
  line: number
  start: number
  end: number
  text: string
}

const copy = mkdtempSync(join(tmpdir(), 'mien-mutants-'))
process.once('exit', () => rmSync(copy, { recursive: true, force: true }))
process.once('SIGINT', () => process.exit(130))
process.once('SIGTERM', () => process.exit(143))

function copySources(): string[] {
  const listed = execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  const files = listed.split('\0').filter(Boolean)
  for (const file of files) cpSync(join(ROOT, file), join(copy, file))
  for (const made of ['node_modules', 'wasm/built', 'models/built'])
    symlinkSync(join(ROOT, made), join(copy, made))
  // Tests of the running service do not take part.
  const config = `import config from './vitest.config.ts'\nfor (const { test } of config.test.projects) delete test.globalSetup\nexport default { ...config, cacheDir: 'cache' }\n`
  writeFileSync(join(copy, 'mutants.config.ts'), config)
  return files
}

type Change = Pick<Mutant, 'kind' | 'start' | 'end' | 'text'>

/** The changes of one node. Of a write, the statement goes and not only its `await`: its effect would come soon enough for most tests. */
function* changesOf(node: ts.Node): Generator<Change> {
  const [start, end] = [node.getStart(), node.end]
  if (ts.isExpressionStatement(node) && ts.isAwaitExpression(node.expression)) {
    if (!WAITS.test(node.expression.expression.getText())) yield { kind: 'await', start, end, text: ';' }
  } else if (ts.isCallExpression(node)) {
    const [first, second] = node.arguments.map(argument => argument.getText())
    const callee = node.expression.getText()
    if (/\bownerLock$/.test(callee)) yield { kind: 'lock', start, end, text: `(${second})()` }
    if (callee === 'eq' && first?.endsWith('.owner')) yield { kind: 'owner', start, end, text: 'undefined' }
  } else if (ts.isTemplateLiteral(node)) {
    for (const { 0: found, index } of node.getText().matchAll(/[\w.]*\bowner = (\$\{\w+\}|[\w.]+)/g))
      yield { kind: 'owner', start: start + index, end: start + index + found.length, text: '1 = 1' }
  }
}

function mutantsOf(file: string): Mutant[] {
  const source = ts.createSourceFile(
    file,
    readFileSync(join(copy, file), 'utf8'),
    ts.ScriptTarget.Latest,
    true,
  )
  const nodes: ts.Node[] = [source]
  for (const node of nodes) ts.forEachChild(node, child => void nodes.push(child))
  return nodes
    .flatMap(node => [...changesOf(node)])
    .map(change => ({ ...change, file, line: source.getLineAndCharacterOfPosition(change.start).line + 1 }))
    .sort((a, b) => a.start - b.start)
}

/** The files of the repository that a file imports. */
function importsOf(file: string): string[] {
  return ts.preProcessFile(readFileSync(join(copy, file), 'utf8')).importedFiles.flatMap(({ fileName }) => {
    if (fileName.startsWith('#')) return [fileName.slice(1)]
    return fileName.startsWith('.') ? [relative(copy, join(copy, dirname(file), fileName))] : []
  })
}

/** The test files of each file: those that import it, also by one file between. Tests of a running service are none. */
function testsByFile(files: readonly string[]): Map<string, Set<string>> {
  const tests = new Map<string, Set<string>>()
  for (const test of files.filter(file => TESTS.test(file))) {
    if (/\binject\(/.test(readFileSync(join(copy, test), 'utf8'))) continue
    let reached = [test]
    for (let distance = 0; distance < DISTANCE; distance++) {
      reached = reached.flatMap(importsOf).filter(file => MUTATED.test(file))
      for (const file of reached) tests.set(file, (tests.get(file) ?? new Set()).add(test))
    }
  }
  return tests
}

/** Whether all tests pass. */
function passes(tests: readonly string[], ...filter: string[]): boolean {
  if (tests.length === 0) return true
  const vitest = join(copy, 'node_modules', 'vitest', 'vitest.mjs')
  const flags = [
    'run',
    '--config',
    'mutants.config.ts',
    '--project',
    'unit',
    '--project',
    'service',
    ...filter,
  ]
  const bounds = ['--maxWorkers', '1', '--bail', '1', '--testTimeout', '60000']
  const { status } = spawnSync(process.execPath, [vitest, ...flags, ...bounds, ...tests], {
    cwd: copy,
    timeout: RUN_MS,
    killSignal: 'SIGKILL',
    stdio: 'ignore',
  })
  return status === 0
}

/** Whether no test misses what the mutant lacks. Of the long tests, the one of two owners takes part. */
const survives = ({ kind, file }: Mutant): boolean =>
  (kind !== 'owner' || passes([OWNERS_TEST])) && passes([...(tests.get(file) ?? [])], '--tags-filter=!long')

const files = copySources()
const tests = testsByFile(files)
const mutants = files
  .filter(file => MUTATED.test(file))
  .flatMap(mutantsOf)
  .filter(({ kind, file, line }) =>
    process.argv.slice(2).every(word => `${kind} ${file}:${line} `.includes(word)),
  )
  .sort((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind))
const tested = new Set(mutants.flatMap(({ file }) => [...(tests.get(file) ?? [])]))
if (!passes([...tested], '--tags-filter=!long')) throw new Error('Tests fail without a mutant.')
let survivors = 0
for (const [i, mutant] of mutants.entries()) {
  const { kind, file, line, start, end, text } = mutant
  const path = join(copy, file)
  const source = readFileSync(path, 'utf8')
  writeFileSync(path, source.slice(0, start) + text + source.slice(end))
  const isSurvivor = survives(mutant)
  writeFileSync(path, source)
  if (isSurvivor) survivors++
  const removed = source.slice(start, end).replaceAll(/\s+/g, ' ').slice(0, 90)
  const outcome = isSurvivor ? 'SURVIVES' : 'falls'
  process.stdout.write(`${i + 1}/${mutants.length} ${outcome} ${kind} ${file}:${line} ${removed}\n`)
}
process.stdout.write(`${mutants.length} mutants, ${survivors} survive\n`)

/** `npm run weight`: how much a newcomer has to read, by folder. The test of the house bounds the sums. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import ts from 'typescript'
import { OPERATIONS } from '../../contract/operations/table.ts'
import { mienProgram } from '../program.ts'
import { isMainScript } from '../terminal/paths.ts'

const CODE = /\.(ts|tsx|py|css|mjs|js)$/
const GENERATED =
  /^clients\/(typescript\/src\/(schema|types|methods)\.ts|python\/mien\/(answers|parameters|methods)\.py)$/
const BINARY = /\.(gz|png|jpg|webp|ico|onnx|wasm|mp4|woff2)$/
const SETTING = /\bMIEN_[A-Z_]*[A-Z]\b/g

const wordCount = (text: string) => text.split(/\s+/).filter(Boolean).length

/** Tokens of TypeScript; words and signs of other languages. Comments and white space are free, and packing saves nothing. */
function tokenCount(path: string, text: string): number {
  if (path.endsWith('.py')) return signCount(text.replace(/"""[\s\S]*?"""|#.*/g, ''))
  if (path.endsWith('.css')) return signCount(text.replace(/\/\*[\s\S]*?\*\//g, ''))
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const tokensIn = (node: ts.Node): number =>
    node.getChildCount(file) === 0 ? 1 : sum(node.getChildren(file).filter(isCode).map(tokensIn))
  return tokensIn(file)
}

/** Whether a node of the syntax tree is code: lists may be empty, and doc comments are nodes, too. */
const isCode = (node: ts.Node) => node.end > node.pos && !ts.isJSDoc(node)

const signCount = (text: string) => text.match(/\w+|[^\s\w]/g)?.length ?? 0

/** A command and all below it. */
const withSubcommands = (command: Command): Command[] => [
  command,
  ...command.commands.flatMap(withSubcommands),
]

/** Tokens, files and words of the files of the checkout at `root` that git tracks. */
export async function measureWeight(root: string) {
  const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' })
    .split('\0')
    .filter(path => path !== '' && !BINARY.test(path))
  const files = tracked.flatMap(path => {
    try {
      return [{ path, text: readFileSync(join(root, path), 'utf8') }]
    } catch {
      // Deleted in the working tree.
      return []
    }
  })
  const authored = files
    .filter(({ path }) => CODE.test(path) && !GENERATED.test(path))
    .map(({ path, text }) => ({ path, text, tokens: tokenCount(path, text) }))
  const sources = authored.filter(({ path }) => !/^(test|bench)\//.test(path))
  const pages = files.filter(({ path }) => path.endsWith('.md') && path !== 'CHANGELOG.md')
  const core = sources.filter(({ path }) => path.startsWith('core/'))
  const mien = await mienProgram()
  const commands = mien
    .createHelp()
    .visibleCommands(mien)
    .filter(command => command.name() !== 'help')
  const folders = Map.groupBy(authored, ({ path }) => (path.includes('/') ? path.split('/')[0]! : '.'))
  return {
    /** Tokens of code that people write, tests included, without generated files. */
    tokens: sum(authored.map(({ tokens }) => tokens)),
    /** Source files outside `test/` and `bench/`. */
    sourceFiles: sources.length,
    /** Operations of the API; commands of `mien`, and the options of all of them; variables; tables of the metadata. */
    operations: OPERATIONS.length,
    commands: commands.length,
    options: sum(commands.flatMap(withSubcommands).map(({ options }) => options.length)),
    variables: new Set(sources.flatMap(({ text }) => text.match(SETTING) ?? [])).size,
    tables: sum(core.map(({ text }) => text.split('= sqliteTable(').length - 1)),
    /** Words of the Markdown files, without the changelog. */
    docsWords: sum(pages.map(({ text }) => wordCount(text))),
    decisions: pages.filter(({ path }) => /^docs\/decisions\/\d/.test(path)).length,
    folders: [...folders].map(([folder, those]) => ({
      folder,
      tokens: sum(those.map(({ tokens }) => tokens)),
      files: those.length,
    })),
  }
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)

if (isMainScript(import.meta)) {
  const { folders, ...sums } = await measureWeight(join(import.meta.dirname, '..', '..'))
  console.table(folders.sort((a, b) => b.tokens - a.tokens))
  console.table(sums)
}

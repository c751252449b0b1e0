/** `npm run weight`: how much a newcomer has to read, by folder. The test of the house bounds the sums. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isMainScript } from '../terminal/paths.ts'

const CODE = /\.(ts|tsx|py|css|mjs|js)$/
const GENERATED =
  /\/schema\.ts$|^clients\/(typescript\/src\/(types|methods)\.ts|python\/mien\/(answers|parameters|methods)\.py)$/
const BINARY = /\.(gz|png|jpg|webp|ico|onnx|wasm|mp4|woff2)$/
const SHORT = 30

const lineCount = (text: string): number => text.split('\n').length - 1
const wordCount = (text: string): number => text.split(/\s+/).filter(Boolean).length

/** Lines, files and words of the files of the checkout at `root` that git tracks. */
export function measureWeight(root: string) {
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
    .map(({ path, text }) => ({ path, lines: lineCount(text) }))
  const sources = authored.filter(({ path }) => !/^(test|bench)\//.test(path))
  const pages = files.filter(({ path }) => path.endsWith('.md') && path !== 'CHANGELOG.md')
  const folders = Map.groupBy(authored, ({ path }) => (path.includes('/') ? path.split('/')[0]! : '.'))
  return {
    /** Lines of code that people write, tests included, without generated modules of clients. */
    authoredLines: sum(authored.map(({ lines }) => lines)),
    /** Source files outside `test/` and `bench/`, and how many of them have fewer than 30 lines. */
    sourceFiles: sources.length,
    shortFiles: sources.filter(({ lines }) => lines < SHORT).length,
    /** Words of the Markdown files, without the changelog. */
    docsWords: sum(pages.map(({ text }) => wordCount(text))),
    decisions: pages.filter(({ path }) => /^docs\/decisions\/\d/.test(path)).length,
    /** Lines of all text files. */
    trackedLines: sum(files.map(({ text }) => lineCount(text))),
    folders: [...folders].map(([folder, those]) => ({
      folder,
      lines: sum(those.map(({ lines }) => lines)),
      files: those.length,
    })),
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)

if (isMainScript(import.meta)) {
  const { folders, ...sums } = measureWeight(join(import.meta.dirname, '..', '..'))
  console.table(folders.sort((a, b) => b.lines - a.lines))
  console.table(sums)
}

/** The interface of benchmarks, and helpers that they share. */
import { access, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { ParseArgsOptionsConfig } from 'node:util'

export interface Benchmark {
  /** Help text of one line for the list. */
  description: string
  options: ParseArgsOptionsConfig
  /** Runs the benchmark. Relative paths in the values refer to the caller's folder; see `fromCaller`. */
  run(values: Record<string, string | boolean | undefined>): Promise<Outcome>
}

export interface Outcome {
  /** Output for people. */
  table: string
  /** Machine-readable output. `--keep` writes it to bench/results. */
  result: Record<string, unknown>
  /** SVG texts by file name. `--keep` writes them to docs/pictures. */
  pictures?: Readonly<Record<string, string>>
}

/** Formats rows as columns of equal width. The first row is the heading. */
export function table(rows: readonly (readonly (string | number)[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map(row => String(row[column] ?? '').length)),
  )
  const line = (row: readonly (string | number)[]) =>
    row
      .map((cell, i) => (i === 0 ? String(cell).padEnd(widths[i]!) : String(cell).padStart(widths[i]!)))
      .join('  ')
  const [head = [], ...body] = rows
  return [line(head), widths.map(width => '-'.repeat(width)).join('  '), ...body.map(line)].join('\n')
}

/** Rounds to this many decimals. */
export const fixed = (value: number, digits = 1): number => Number(value.toFixed(digits))

export const minimum = (values: readonly number[]): number => Math.min(...values)

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

/** The quantile of the values: `part` 0.99 gives the 99th percentile. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? Number.NaN
}

/** Picks `count` items at even distances. */
export const evenly = <Item>(items: readonly Item[], count: number): Item[] =>
  items.filter(
    (_, i) => Math.floor((i * count) / items.length) !== Math.floor(((i - 1) * count) / items.length),
  )

/** Parses numbers separated by commas. */
export const numbers = (list: string): number[] => list.split(',').map(Number)

/** Prints a line of progress to stderr. */
export const progress = (line: string): boolean => process.stderr.write(`${line}\n`)

/** Path of a benchmark's kept result. */
export const resultFile = (name: string): string => join(import.meta.dirname, 'results', `${name}.json`)

/** The kept result of an earlier run; undefined when there is none. */
export async function kept(name: string): Promise<Record<string, unknown> | undefined> {
  const text = await readFile(resultFile(name), 'utf8').catch(() => undefined)
  return text === undefined ? undefined : JSON.parse(text)
}

/** Resolves a path against the caller's folder. npm runs scripts in the project's folder. */
export const fromCaller = (path: string): string => resolve(process.env.INIT_CWD ?? process.cwd(), path)

/** True if a file or folder exists at the path. */
export const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

/** What every benchmark file exports. */
import { access, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { ParseArgsOptionsConfig } from 'node:util'

export interface Benchmark {
  /** One line for the list. */
  description: string
  options: ParseArgsOptionsConfig
  /** Relative paths among the values are the caller's; see `fromCaller`. */
  run(values: Record<string, string | boolean | undefined>): Promise<Outcome>
}

export interface Outcome {
  /** For people. */
  table: string
  /** For machines; kept in bench/results. */
  result: Record<string, unknown>
}

/** Columns as wide as their widest cell; the first row is the head. */
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

/** A figure to so many decimals. */
export const fixed = (value: number, digits = 1): number => Number(value.toFixed(digits))

export const minimum = (values: readonly number[]): number => Math.min(...values)

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

/** The value that this part of the others is not above: 0.99 for the 99th percentile. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? Number.NaN
}

/** So many of them, evenly. */
export const evenly = <Item>(items: readonly Item[], count: number): Item[] =>
  items.filter(
    (_, i) => Math.floor((i * count) / items.length) !== Math.floor(((i - 1) * count) / items.length),
  )

/** Numbers separated by commas. */
export const numbers = (list: string): number[] => list.split(',').map(Number)

/** What is under way, for whoever waits. */
export const progress = (line: string): boolean => process.stderr.write(`${line}\n`)

/** Where the results of a benchmark are kept. */
export const resultFile = (name: string): string => join(import.meta.dirname, 'results', `${name}.json`)

/** What was kept by an earlier run of a benchmark; undefined when there is none. */
export async function kept(name: string): Promise<Record<string, unknown> | undefined> {
  const text = await readFile(resultFile(name), 'utf8').catch(() => undefined)
  return text === undefined ? undefined : JSON.parse(text)
}

/** A path as the caller meant it: npm runs scripts in the project's folder. */
export const fromCaller = (path: string): string => resolve(process.env.INIT_CWD ?? process.cwd(), path)

/** Is there a file or a folder at the path? */
export const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

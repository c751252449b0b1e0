/** What every benchmark file exports. */
import { resolve } from 'node:path'
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

/** A path as the caller meant it: npm runs scripts in the project's folder. */
export const fromCaller = (path: string): string => resolve(process.env.INIT_CWD ?? process.cwd(), path)

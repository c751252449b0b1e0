/** Defines a benchmark: options with defaults, and a function that measures. Helpers for its options and results. */
import { access, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Rig } from './rig.ts'

export type Options = Readonly<Record<string, string | number | boolean>>

/** Measured values. They are printed as tables, and `--keep` writes them to bench/results. */
export type Result = Record<string, unknown>

export interface Benchmark<Given extends Options = Options> {
  /** Help text of one line for the list. */
  description: string
  /** The defaults. A value of the command line is a number, a text or a flag, as its default is. */
  options: Given
  /** Measures. What `rig` has started ends afterwards. Throws `Skipped` when something is missing. */
  run(options: Given, rig: Rig): Promise<Result>
}

/** Checks the types of a benchmark. */
export const benchmark = <Given extends Options>(one: Benchmark<Given>): Benchmark<Given> => one

/** The machine lacks a program or device of the benchmark. */
export class Skipped extends Error {}

/** Throws `Skipped` unless `has`. */
export function need(has: unknown, what: string): asserts has {
  if (!has) throw new Skipped(`it needs ${what}`)
}

/** Resolves a path against the caller's folder. npm runs scripts in the project's folder. */
export const fromCaller = (path: string): string => resolve(process.env.INIT_CWD ?? process.cwd(), path)

/** The path in the caller's folder. Throws `Skipped` when nothing is there. */
export async function existing(path: string): Promise<string> {
  const found = fromCaller(path)
  need(await exists(found), found)
  return found
}

/** True if a file or folder exists at the path. */
export const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

/** Data folder of options: `mien` looks for packs and calibrations there. */
export const DATA = process.env.MIEN_DATA ?? 'data'

/** Parses numbers separated by commas. */
export const numbers = (list: string): number[] => list.split(',').map(Number)

/** Prints a line of progress to stderr. */
export const progress = (line: string): boolean => process.stderr.write(`  ${line}\n`)

const TELL_MS = 10_000
let toldAt = Date.now()

/** Prints the number of finished items now and then. */
export function tell(done: number, total: number): void {
  if (Date.now() - toldAt < TELL_MS) return
  toldAt = Date.now()
  progress(`${done} of ${total}`)
}

/** Path of a benchmark's kept result. */
export const resultFile = (name: string): string => join(import.meta.dirname, 'results', `${name}.json`)

/** The kept result of an earlier run; undefined when there is none. */
export async function kept<Kept = Record<string, unknown>>(name: string): Promise<Kept | undefined> {
  const text = await readFile(resultFile(name), 'utf8').catch(() => undefined)
  return text === undefined ? undefined : JSON.parse(text)
}

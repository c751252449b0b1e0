/** `npm run bench`: lists the benchmarks or runs one. */
import { globSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { type Benchmark, type Options, type Result, resultFile, Skipped } from './benchmark.ts'
import { withRig } from './rig.ts'

/** Folders of benchmarks, one file for each. */
const SUBJECTS = '{detection,recognition,service,store}/*.ts'

const USAGE = `npm run bench -- [NAME] [options]

Lists the benchmarks or runs one.

Options:
  --keep      write the result to bench/results
  --json      print JSON below the tables
  -h, --help  print this help; after NAME, the options of that benchmark

Examples:
  npm run bench
  npm run bench -- latency`

const HELP = { help: { type: 'boolean', short: 'h' } } as const

class Misuse extends Error {}

/** Names of the benchmarks and their files, sorted by name. */
function benchmarks(): Map<string, string> {
  const files = globSync(SUBJECTS, { cwd: import.meta.dirname })
  const named = files.map(file => [basename(file, '.ts'), join(import.meta.dirname, file)] as const)
  return new Map(named.sort(([a], [b]) => a.localeCompare(b)))
}

async function load(name: string): Promise<Benchmark> {
  const file = benchmarks().get(name)
  if (file === undefined) throw new Misuse(`There is no benchmark "${name}".`)
  return (await import(file)).default
}

const optionTexts = (options: Options) =>
  Object.entries(options).map(([name, value]) =>
    typeof value === 'boolean' ? `--${name}` : `--${name} VALUE${value === '' ? '' : ` (${value})`}`,
  )

async function list() {
  for (const name of benchmarks().keys()) {
    const { description, options } = await load(name)
    console.log([name, description, ...optionTexts(options)].join('\n  '))
  }
}

function help(name: string, { description, options }: Benchmark) {
  const lines = [...optionTexts(options), '--keep', '--json', '-h, --help']
  console.log(`npm run bench -- ${name} [options]\n\n${description}\n\nOptions:\n  ${lines.join('\n  ')}`)
  console.log(`\nExample:\n  npm run bench -- ${name}`)
}

/** A value of the command line in the type of its default. */
function parse(name: string, text: unknown, value: Options[string]): Options[string] {
  if (typeof value !== 'number') return text as string | boolean
  if (text === '' || Number.isNaN(Number(text))) throw new Misuse(`--${name} takes a number, not "${text}".`)
  return Number(text)
}

async function run(name: string, args: string[]) {
  const chosen = await load(name)
  const types = Object.entries(chosen.options).map(([option, value]) => [
    option,
    { type: typeof value === 'boolean' ? 'boolean' : 'string' },
  ])
  const config: ParseArgsOptionsConfig = {
    ...Object.fromEntries(types),
    ...HELP,
    json: { type: 'boolean' },
    keep: { type: 'boolean' },
  }
  const { json, keep, help: asksForHelp, ...values } = parseArgs({ args, options: config }).values
  if (asksForHelp) return help(name, chosen)
  const given = Object.fromEntries(
    Object.entries(values).map(([option, text]) => [option, parse(option, text, chosen.options[option]!)]),
  )
  const result: Result = await withRig(rig => chosen.run({ ...chosen.options, ...given }, rig)).catch(
    error => {
      if (!(error instanceof Skipped)) throw error
      return { skipped: error.message }
    },
  )
  printResult(result)
  const machine = `${cpus()[0]?.model ?? 'unknown'}, ${cpus().length} cores, Node ${process.versions.node}`
  const whole = { benchmark: name, date: new Date().toISOString(), machine, options: given, ...result }
  if (keep && !('skipped' in result)) {
    await mkdir(dirname(resultFile(name)), { recursive: true })
    await writeFile(resultFile(name), `${JSON.stringify(whole, null, 2)}\n`)
  }
  if (json) console.log(JSON.stringify(whole))
}

async function main(args: string[]) {
  const [first, ...rest] = args
  if (first !== undefined && !first.startsWith('-')) return run(first, rest)
  if (parseArgs({ args, options: HELP }).values.help) return console.log(USAGE)
  await list()
}

type Row = Readonly<Record<string, unknown>>

const isList = (value: unknown): value is Row[] => Array.isArray(value) && typeof value[0] === 'object'

/** The row without objects in it. Their values are named by both names. */
const flattened = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).flatMap(([name, value]) =>
      typeof value !== 'object' || value === null || Array.isArray(value)
        ? [[name, value]]
        : Object.entries(flattened(value as Row)).map(([inner, one]) => [`${name} ${inner}`, one]),
    ),
  )

function printResult(result: Row) {
  const facts = Object.entries(flattened(result))
  const single = facts.filter(([, value]) => !isList(value))
  if (single.length > 0) console.table(Object.fromEntries(single))
  for (const [name, rows] of facts) {
    if (!isList(rows)) continue
    console.log(name)
    if (rows.some(row => Object.values(flattened(row)).some(isList))) for (const row of rows) printResult(row)
    else console.table(rows.map(flattened))
  }
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  const isMisuse =
    error instanceof Misuse || String((error as { code?: string }).code).startsWith('ERR_PARSE_ARGS')
  if (!isMisuse) throw error
  console.error(`${(error as Error).message}\n\n${USAGE}`)
  process.exitCode = 2
}
// Worker threads of a runtime may still run, but the result is written.
process.exit()

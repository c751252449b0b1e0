/** `npm run bench`: lists the benchmarks or runs one. */
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { compactJson } from '../commands/development/compact-json.ts'
import { type Benchmark, resultFile } from './benchmark.ts'

const FOLDER = import.meta.dirname
const PICTURES = join(FOLDER, '..', 'docs', 'pictures')

/** Folders of benchmarks, one file for each. */
const SUBJECTS = ['detection', 'recognition', 'service', 'store']

/** Names of the benchmarks and their files. */
async function benchmarks(): Promise<Map<string, string>> {
  const found = await Promise.all(
    SUBJECTS.map(async subject =>
      (await readdir(join(FOLDER, subject))).map(
        file => [file.slice(0, -3), join(FOLDER, subject, file)] as const,
      ),
    ),
  )
  return new Map(found.flat().sort(([a], [b]) => a.localeCompare(b)))
}

async function load(name: string): Promise<Benchmark> {
  return import((await benchmarks()).get(name)!)
}

const USAGE = `npm run bench -- [NAME] [options]

Lists the benchmarks or runs one.

Options:
  --keep      write the result to bench/results and drawings to docs/pictures
  --json      print JSON: of the list alone, of a run below the table
  -h, --help  print this help; after NAME, the options of that benchmark

Examples:
  npm run bench
  npm run bench -- latency`

async function list(json: boolean): Promise<void> {
  const found = await Promise.all(
    [...(await benchmarks()).keys()].map(async name => {
      const { description, options } = await load(name)
      return { name, description, options: Object.entries(options).map(optionText) }
    }),
  )
  if (json) return console.log(JSON.stringify(found, null, 2))
  for (const { name, description, options } of found)
    console.log([name, description, ...options].join('\n  '))
}

const optionText = ([name, { type }]: [string, ParseArgsOptionsConfig[string]]): string =>
  `--${name}${type === 'string' ? ' VALUE' : ''}`

async function help(name: string | undefined): Promise<void> {
  if (name === undefined) return console.log(USAGE)
  const { description, options } = await load(name)
  const lines = [...Object.entries(options).map(optionText), '--keep', '--json', '-h, --help']
  console.log(`npm run bench -- ${name} [options]\n\n${description}\n\nOptions:\n  ${lines.join('\n  ')}`)
  console.log(`\nExample:\n  npm run bench -- ${name}`)
}

/** Whether `--help` or `-h` precedes a `--`. */
function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--')
  return (end < 0 ? args : args.slice(0, end)).some(arg => arg === '--help' || arg === '-h')
}

function reportMisuse(message: string): void {
  console.error(`${message}\n\n${USAGE}`)
  process.exitCode = 2
}

const isParseError = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')

async function run(name: string, args: string[]): Promise<void> {
  const benchmark = await load(name)
  const options: ParseArgsOptionsConfig = {
    ...benchmark.options,
    json: { type: 'boolean' },
    keep: { type: 'boolean' },
  }
  const { values } = parseArgs({ args, options })
  const { table, result, pictures } = await benchmark.run(
    values as Record<string, string | boolean | undefined>,
  )
  console.log(table)
  const { json, keep, ...chosenOptions } = values
  const machine = `${cpus()[0]?.model ?? 'unknown'}, ${cpus().length} cores, Node ${process.versions.node}`
  const whole = {
    benchmark: name,
    date: new Date().toISOString(),
    machine,
    options: chosenOptions,
    ...result,
  }
  if (keep) {
    await mkdir(join(FOLDER, 'results'), { recursive: true })
    await writeFile(resultFile(name), `${compactJson(whole)}\n`)
    for (const [file, svg] of Object.entries(pictures ?? {})) await writeFile(join(PICTURES, file), svg)
  }
  if (json) console.log(JSON.stringify(whole))
}

const given = process.argv.slice(2)
const name = given[0]?.startsWith('-') ? undefined : given[0]
const args = given.slice(name === undefined ? 0 : 1)
if (name !== undefined && !(await benchmarks()).has(name)) reportMisuse(`There is no benchmark "${name}".`)
else if (asksForHelp(args)) await help(name)
else if (name !== undefined) {
  try {
    await run(name, args)
  } catch (error) {
    if (!isParseError(error)) throw error
    reportMisuse(error.message)
  }
  // Worker threads of a runtime may still run, but the result is written.
  process.exit()
} else if (args.every(arg => arg === '--json')) await list(args.length > 0)
else reportMisuse(`Unknown option '${args.find(arg => arg !== '--json')}'.`)

/** `npm run bench`: lists the benchmarks, or runs one and keeps its result in bench/results. */
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { type Benchmark, resultFile } from './benchmark.ts'

const FOLDER = import.meta.dirname
const NOT_BENCHMARKS = new Set(['run.ts', 'benchmark.ts'])

async function names(): Promise<string[]> {
  const files = (await readdir(FOLDER)).filter(file => file.endsWith('.ts') && !NOT_BENCHMARKS.has(file))
  return files.map(file => file.slice(0, -3)).sort()
}

const load = async (name: string): Promise<Benchmark> => import(join(FOLDER, `${name}.ts`))

async function list(): Promise<void> {
  console.log('npm run bench -- NAME [options] [--json]\n')
  for (const name of await names()) {
    const { description, options } = await load(name)
    console.log(`  ${name.padEnd(12)} ${description}`)
    for (const [option, { type }] of Object.entries(options))
      console.log(`  ${''.padEnd(12)}   --${option}${type === 'string' ? ' VALUE' : ''}`)
  }
}

async function run(name: string, args: string[]): Promise<void> {
  const benchmark = await load(name)
  const options: ParseArgsOptionsConfig = { ...benchmark.options, json: { type: 'boolean' } }
  const { values } = parseArgs({ args, options })
  const { table, result } = await benchmark.run(values as Record<string, string | boolean | undefined>)
  console.log(table)
  const { json, ...asked } = values
  const machine = `${cpus()[0]?.model ?? 'unknown'}, ${cpus().length} cores, Node ${process.versions.node}`
  const kept = { benchmark: name, date: new Date().toISOString(), machine, options: asked, ...result }
  await mkdir(join(FOLDER, 'results'), { recursive: true })
  await writeFile(resultFile(name), `${JSON.stringify(kept, null, 2)}\n`)
  if (json) console.log(JSON.stringify(kept))
}

const [name, ...args] = process.argv.slice(2)
if (name === undefined || name === '--help') await list()
else if (!(await names()).includes(name)) {
  console.error(`There is no benchmark "${name}".`)
  await list()
  process.exitCode = 1
} else {
  await run(name, args)
  // Worker threads of a runtime may linger; the result is written.
  process.exit(0)
}

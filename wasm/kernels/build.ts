/** Compiles the kernels: wasm/built/kernels.wasm, and kernels.relaxed.wasm for runtimes with relaxed SIMD. */
import { createHash } from 'node:crypto'
import { access, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

const SOURCES = new URL('assembly/', import.meta.url)
const BUILT = new URL('../built/', import.meta.url)
const COMPILER = new URL('../package.json', import.meta.resolve('assemblyscript/asc'))

/** Files whose exports are those of the modules, and what they import. */
const ENTRIES = ['kernels.ts', 'sketches.ts']
const IMPORTED = ['sums.ts']

/** Nothing allocates and nothing aborts: the modules are their functions over a memory that is given to them. */
const OPTIONS = [
  '--runtime stub --importMemory --noExportMemory --use abort= --noAssert',
  '-O3 --converge --enable simd',
].flatMap(options => options.split(' '))

const VARIANTS = [
  { file: 'kernels.wasm', options: [] },
  { file: 'kernels.relaxed.wasm', options: ['--enable', 'relaxed-simd'] },
]

/** Says what the files beside it were made of. */
const ORIGIN = 'kernels.sha256'

/** Compiles unless the files were made of these sources, by this compiler. True when they had to be. */
export async function buildKernels(): Promise<boolean> {
  const sources = new Map<string, string>()
  for (const name of [...ENTRIES, ...IMPORTED])
    sources.set(name, await readFile(new URL(name, SOURCES), 'utf8'))
  const origin = createHash('sha256')
    .update(JSON.stringify([[...sources], OPTIONS, VARIANTS, await compilerVersion()]))
    .digest('hex')
  if (await isBuiltFrom(origin)) return false
  await mkdir(BUILT, { recursive: true })
  for (const { file, options } of VARIANTS) await replace(file, await compiled(sources, options))
  // Last: a build that was broken off is made again.
  await replace(ORIGIN, origin)
  return true
}

async function isBuiltFrom(origin: string): Promise<boolean> {
  try {
    for (const { file } of VARIANTS) await access(new URL(file, BUILT))
    return (await readFile(new URL(ORIGIN, BUILT), 'utf8')) === origin
  } catch {
    return false
  }
}

async function compilerVersion(): Promise<string> {
  return JSON.parse(await readFile(COMPILER, 'utf8')).version
}

async function compiled(
  sources: ReadonlyMap<string, string>,
  options: readonly string[],
): Promise<Uint8Array> {
  // Only here: the compiler takes a second to load.
  const asc = await import('assemblyscript/asc')
  let binary: Uint8Array | undefined
  const { error, stderr } = await asc.main(
    [...ENTRIES, '--outFile', 'kernels.wasm', ...OPTIONS, ...options],
    {
      readFile: name => sources.get(name) ?? null,
      writeFile: (_name, contents) => {
        if (typeof contents !== 'string') binary = contents
      },
      listFiles: () => [],
    },
  )
  if (error || !binary) throw new Error(`the kernels do not compile\n${stderr}`, { cause: error })
  return binary
}

async function replace(file: string, contents: Uint8Array | string): Promise<void> {
  const temporary = new URL(`${file}.${process.pid}.tmp`, BUILT)
  await writeFile(temporary, contents)
  await rename(temporary, new URL(file, BUILT))
}

if (import.meta.main) {
  const built = await buildKernels()
  console.log(`${fileURLToPath(BUILT)}kernels*.wasm: ${built ? 'built' : 'up to date'}`)
}

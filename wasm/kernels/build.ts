/** Compiles the kernels: wasm/built/kernels.wasm, and kernels.relaxed.wasm for runtimes with relaxed SIMD. */
import { createHash } from 'node:crypto'
import { access, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

const SOURCES = new URL('assembly/', import.meta.url)
const BUILT = new URL('../built/', import.meta.url)

/** Files whose exports are those of the modules, and the files that they import. */
const ENTRIES = ['kernels.ts', 'binary-codes.ts']
const IMPORTED = ['sums.ts']

/** No allocation and no abort: the modules are functions over an imported memory. */
const OPTIONS = [
  '--runtime stub --importMemory --noExportMemory --use abort= --noAssert',
  '-O3 --converge --enable simd',
].flatMap(options => options.split(' '))

const VARIANTS = [
  { file: 'kernels.wasm', options: [] },
  { file: 'kernels.relaxed.wasm', options: ['--enable', 'relaxed-simd'] },
]

/** File with the hash of the sources, options and compiler of the built files. */
const ORIGIN = 'kernels.sha256'

/** Compiles the kernels unless the built files match the sources, options and compiler. Returns true when it compiled. */
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
  // Written last: an interrupted build is repeated.
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
  const compiler = new URL('../package.json', import.meta.resolve('assemblyscript/asc'))
  return JSON.parse(await readFile(compiler, 'utf8')).version
}

async function compiled(
  sources: ReadonlyMap<string, string>,
  options: readonly string[],
): Promise<Uint8Array> {
  // Imported only here, because the compiler takes a second to load.
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

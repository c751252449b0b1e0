/** The packages of a release: those that run on this platform, in the versions of the lock file. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  BUILD_ONLY,
  PARTS,
  releaseManifest,
  releasePackages,
} from '#commands/development/release/packages.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..', '..', '..')
const read = (file: string) => JSON.parse(readFileSync(join(ROOT, file), 'utf8'))

const here = { os: process.platform, cpu: process.arch }
const LOCK = {
  'node_modules/a': { version: '1.0.0', dependencies: { b: '^1.0.0', '@types/b': '^1.0.0' } },
  'node_modules/a/node_modules/b': { version: '1.1.0', dependencies: { c: '*' } },
  'node_modules/b': { version: '2.0.0' },
  'node_modules/c': { version: '3.0.0', optionalDependencies: { 'c-here': '3.0.0', 'c-there': '3.0.0' } },
  'node_modules/c-here': { version: '3.0.0', ...here },
  'node_modules/c-there': { version: '3.0.0', os: ['plan9'] },
  'node_modules/@cloudflare/workerd-here': { version: '4.0.0', ...here },
  'node_modules/wrangler': { version: '5.0.0' },
}
const found = (...names: string[]) =>
  releasePackages({ dependencies: Object.fromEntries(names.map(name => [name, '*'])) }, LOCK)

describe('releasePackages', () => {
  it('finds nested packages, and those of this platform', () => {
    expect(Object.fromEntries(found('a').bundled)).toEqual({
      'node_modules/a': { version: '1.0.0', dependencies: { b: '1.1.0' } },
      'node_modules/a/node_modules/b': { version: '1.1.0', dependencies: { c: '3.0.0' } },
      'node_modules/c': { version: '3.0.0', dependencies: { 'c-here': '3.0.0' } },
      'node_modules/c-here': { version: '3.0.0', dependencies: {} },
    })
  })

  it('leaves workerd to npm, and out what only builds', () => {
    const { bundled, downloaded } = found('@cloudflare/workerd-here', 'wrangler')
    expect([...bundled.keys()]).toEqual([])
    expect(downloaded).toEqual({ '@cloudflare/workerd-here': '4.0.0' })
  })

  it('throws for a package that the lock file lacks', () => {
    expect(() => found('missing')).toThrow('The lock file has no missing.')
  })
})

describe('the release of this repository', () => {
  const project = read('package.json')
  const lock = read('package-lock.json').packages
  const manifest = releaseManifest(project, releasePackages(project, lock))

  it('depends on exact versions', () => {
    const versions = Object.values(manifest.dependencies)
    expect(versions.length).toBeGreaterThan(30)
    expect(versions.filter(version => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([])
  })

  it('downloads workerd and nothing else', () => {
    const names = Object.keys(manifest.dependencies).filter(
      name => !manifest.bundleDependencies.includes(name),
    )
    expect(names).toEqual([expect.stringMatching(/^@cloudflare\/workerd-/)])
  })

  it('is for this platform', () => {
    expect(manifest).toMatchObject({ os: [process.platform], cpu: [process.arch] })
  })

  it('names only packages that are dependencies', () => {
    for (const name of [...BUILD_ONLY, ...Object.keys(PARTS)])
      expect(project.dependencies).toHaveProperty([name])
  })
})

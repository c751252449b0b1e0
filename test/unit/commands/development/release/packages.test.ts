/** The packages of a release: those that run on this platform, in the versions of the lock file. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { releaseManifest, releasePackages } from '#commands/development/release/packages.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..', '..', '..')
const read = (file: string) => JSON.parse(readFileSync(join(ROOT, file), 'utf8'))

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
})

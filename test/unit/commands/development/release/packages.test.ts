/** The packages of a release for this platform, in the versions of the lock file. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { builtFiles } from '#commands/build/models.ts'
import { isAllowed } from '#commands/development/licences.ts'
import { releaseManifest, releasePackages } from '#commands/development/release/packages.ts'
import { sbomOf } from '#commands/development/release/sbom.ts'
import { ROOT } from '#test/support/root.ts'

const read = (file: string) => JSON.parse(readFileSync(join(ROOT, file), 'utf8'))

/** A component of the bill. */
interface Licensed {
  name: string
  licenses: { license?: { id?: string }; expression?: string }[]
}

describe('the release of this repository', () => {
  const project = read('package.json')
  const lock = read('package-lock.json').packages
  const found = releasePackages(project, lock)
  const manifest = releaseManifest(project, found)

  it('downloads workerd and nothing else', () => {
    const names = Object.keys(manifest.dependencies).filter(
      name => !manifest.bundleDependencies.includes(name),
    )
    expect(names).toEqual([expect.stringMatching(/^@cloudflare\/workerd-/)])
  })

  it('has a bill of materials that CycloneDX accepts, with its packages, models and own builds', async () => {
    const models = builtFiles()
    const bill = JSON.parse(await sbomOf(found, models))
    const schemas = ['bom-1.5', 'spdx', 'jsf-0.82'].map(name => ({
      ...read(`node_modules/@cyclonedx/cyclonedx-library/res/schema/${name}.SNAPSHOT.schema.json`),
      // References name the files.
      $id: `${name}.SNAPSHOT.schema.json`,
    }))
    const ajv = new Ajv({ strict: false, validateFormats: false, schemas })
    const validate = ajv.getSchema('bom-1.5.SNAPSHOT.schema.json')!
    expect([validate(bill), validate.errors]).toEqual([true, null])
    const names = bill.components.map(({ name }: { name: string }) => name)
    for (const name of [
      'hono',
      'sharp',
      'preact',
      'libjpeg-turbo',
      'libpng',
      'libwebp',
      'zlib',
      ...Object.keys(manifest.dependencies),
    ])
      expect(names).toContain(name)
    for (const [name, { sha256 }] of models)
      expect(bill.components).toContainEqual(
        expect.objectContaining({ name, hashes: [{ alg: 'SHA-256', content: sha256 }] }),
      )
    const licences = bill.components.map(({ name, licenses: [first] }: Licensed) => ({
      name,
      licence: first?.expression ?? first?.license?.id ?? '',
    }))
    expect(licences.filter((one: { name: string; licence: string }) => !isAllowed(one))).toEqual([])
    expect(bill).not.toHaveProperty('serialNumber')
    expect(bill.metadata).not.toHaveProperty('timestamp')
  })

  it('is for this platform', () => {
    expect(manifest).toMatchObject({ os: [process.platform], cpu: [process.arch] })
  })
})

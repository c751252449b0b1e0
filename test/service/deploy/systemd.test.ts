import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from '#test/support/root.ts'

const UNITS = [
  'mien-core.service',
  'mien-edge.service',
  'mien-backup.service',
  'mien-mqtt.service',
  'mien-watch.service',
]

/** systemd calls an exposure below 2 "OK"; a service with network access cannot reach 0. */
const MOST_EXPOSED = 2

/** Where `npm install --global --prefix /opt/mien` puts the program. */
const PROGRAM = '/opt/mien/bin/mien'

const unit = (name: string) => readFileSync(join(ROOT, 'deploy', 'systemd', name), 'utf8')

const analyze = (...args: string[]) => spawnSync('systemd-analyze', args, { encoding: 'utf8' })

const hasSystemd = analyze('--version').status === 0

describe.skipIf(!hasSystemd)('the systemd units under systemd-analyze', { tags: 'systemd' }, () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'mien-units-'))
    // systemd checks that the started programs exist.
    for (const name of UNITS)
      writeFileSync(join(folder, name), unit(name).replaceAll(PROGRAM, join(ROOT, 'commands', 'mien.js')))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('pass systemd-analyze verify', () => {
    const { status, stderr } = analyze('verify', ...UNITS.map(name => join(folder, name)))
    expect(stderr).not.toContain('mien-')
    expect(status).toBe(0)
  })

  it.each(UNITS)('have an exposure level below 2: %s', name => {
    const told = analyze('security', '--offline=true', '--no-pager', join(folder, name)).stdout
    const [, exposure] = /Overall exposure level for \S+: ([\d.]+)/.exec(told) ?? []
    expect(Number(exposure)).toBeLessThan(MOST_EXPOSED)
  })
})

describe('the systemd units', () => {
  it.each(UNITS)('contain no secret and pass none in the environment: %s', name => {
    expect(unit(name)).not.toMatch(
      /MIEN_(EDGE_SECRET|OPERATOR_TOKEN|ENCRYPTION_KEY|TOKEN|MQTT_PASSWORD)(_PREVIOUS)?=/,
    )
  })

  it('let core read the addresses of its machine: without them, it fetches no photo and sends no message', () => {
    expect(unit('mien-core.service')).toMatch(/^RestrictAddressFamilies=.*AF_NETLINK/m)
  })

  it('give the edge no encryption key and no operator token', () => {
    expect(unit('mien-edge.service')).not.toMatch(/encryption|operator/)
  })
})

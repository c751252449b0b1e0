import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..', '..', '..')
const UNITS = ['mien-core.service', 'mien-edge.service']

/** systemd's word for what needs no more thought is "OK", below 2; nothing that talks to a network gets to 0. */
const MOST_EXPOSED = 2

const unit = (name: string): string => readFileSync(join(ROOT, 'deploy', 'systemd', name), 'utf8')

const analyze = (...args: string[]) => spawnSync('systemd-analyze', args, { encoding: 'utf8' })

const hasSystemd = analyze('--version').status === 0

describe.skipIf(!hasSystemd)('the units of systemd (skipped where there is no systemd)', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'mien-units-'))
    // As if it were installed: systemd looks whether what is started is there.
    for (const name of UNITS)
      writeFileSync(join(folder, name), unit(name).replaceAll('/opt/mien/', `${ROOT}/`))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('are understood, and name what is there', () => {
    const { status, stderr } = analyze('verify', ...UNITS.map(name => join(folder, name)))
    expect(stderr).not.toContain('mien-')
    expect(status).toBe(0)
  })

  it.each(UNITS)('have next to nothing open: %s', name => {
    const told = analyze('security', '--offline=true', '--no-pager', join(folder, name)).stdout
    const [, exposure] = /Overall exposure level for \S+: ([\d.]+)/.exec(told) ?? []
    expect(Number(exposure)).toBeLessThan(MOST_EXPOSED)
  })
})

describe('the units of systemd', () => {
  it.each(UNITS)('hold no secret, and hand none over in the environment: %s', name => {
    expect(unit(name)).not.toMatch(/MIEN_(EDGE_SECRET|OPERATOR_TOKEN|ENCRYPTION_KEY)(_PREVIOUS)?=/)
  })

  it('give an edge no key of the data', () => {
    expect(unit('mien-edge.service')).not.toMatch(/encryption|operator/)
  })
})

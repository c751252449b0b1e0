/** `mien doctor`: beside a service that runs, before the first start, and with a problem. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { inject } from 'vitest'
import { runMien } from '#test/support/typed.ts'
import { temporaryFolder } from '../../unit/core/folder.ts'

const NAMES = ['node', 'memory', 'disk', 'clock', 'ports', 'modes', 'models', 'detection', 'ffmpeg']

describe('mien doctor', { tags: 'long' }, () => {
  it('detects with the running service, and finds no problem', () => {
    const { status, stdout } = runMien(['doctor', '--json', '--data', inject('data')])
    const findings: Record<string, string>[] = JSON.parse(stdout)
    const of = (name: string) => findings.find(({ check }) => check === name)!
    expect(findings.map(({ check }) => check)).toEqual(NAMES)
    expect(findings.filter(({ grade }) => grade === 'problem')).toEqual([])
    expect(of('ports').text).toContain(inject('edge'))
    expect(of('detection').text).toMatch(/^The running service finds 3 faces/)
    expect(status).toBe(0)
  })

  it('detects in its own process before the first start and creates nothing, and exits with 1 and a remedy for a problem', async () => {
    const folder = await temporaryFolder()
    const taken = { MIEN_EDGE_PORT: new URL(inject('edge')).port, MIEN_CORE_PORT: '0' }
    const { status, stdout } = runMien(['doctor', '--data', join(folder, 'data')], taken)
    expect(status).toBe(1)
    expect(stdout).toMatch(/^problem {2}ports .*\n.*--edge-port/m)
    expect(stdout).toMatch(/^ok {7}node {7}Node\.js /m)
    expect(stdout).toMatch(/^ok {7}detection {2}This process finds 3 faces/m)
    expect(stdout).not.toContain('\u001b')
    expect(await readdir(folder)).toEqual([])
  })
})

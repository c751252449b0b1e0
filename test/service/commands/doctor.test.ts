/** `mien doctor`: beside a service that runs, before the first start, and with a problem. */
import { chmod, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inject } from 'vitest'
import { typed } from '#test/support/typed.ts'
import { temporaryFolder } from '../../unit/core/folder.ts'

const NAMES = ['node', 'memory', 'disk', 'clock', 'ports', 'modes', 'models', 'detection', 'ffmpeg']

interface Finding {
  check: string
  grade: string
  text: string
  remedy?: string
}

function doctor(data: string, env: NodeJS.ProcessEnv = {}) {
  const { status, stdout } = typed(['doctor', '--json', '--data', data], env)
  const findings = JSON.parse(stdout) as Finding[]
  return { status, findings, of: (name: string) => findings.find(({ check }) => check === name)! }
}

/** Free ports, whatever runs on this machine. */
const FREE = { MIEN_EDGE_PORT: '0', MIEN_CORE_PORT: '0' }

describe('mien doctor', { tags: 'long' }, () => {
  it('detects with the running service, and finds no problem', () => {
    const { status, findings, of } = doctor(inject('data'))
    expect(findings.map(({ check }) => check)).toEqual(NAMES)
    expect(findings.filter(({ grade }) => grade === 'problem')).toEqual([])
    expect(of('ports').text).toContain(inject('edge'))
    expect(of('detection').text).toMatch(/^The running service finds 3 faces/)
    expect(status).toBe(0)
  })

  it('detects in its own process before the first start, and creates nothing', async () => {
    const folder = await temporaryFolder()
    const { status, of } = doctor(join(folder, 'data'), FREE)
    expect(of('detection').text).toMatch(/^This process finds 3 faces/)
    expect(status).toBe(0)
    expect(await readdir(folder)).toEqual([])
  })

  it.skipIf(process.platform === 'win32')('exits with 1 for a problem, and prints what to do', async () => {
    const data = await temporaryFolder()
    await writeFile(join(data, 'token'), 'x')
    await chmod(join(data, 'token'), 0o644)
    const { status, stdout } = typed(['doctor', '--data', data], FREE)
    expect(status).toBe(1)
    expect(stdout).toMatch(
      /^problem {2}modes {6}Other users may use 1 file: token\.\n +A start of the service corrects them\./m,
    )
    expect(stdout).toMatch(/^ok {7}node {7}Node\.js /m)
    expect(stdout).not.toContain('\u001b')
  })
})

/** Checks of the machine: what is well, what is a warning and what a problem. */
import { createServer } from 'node:net'
import { clockFinding, diskFinding, ports } from '#commands/doctor/machine.ts'
import { listen } from '#test/support/processes.ts'
import { temporaryFolder } from '../../core/folder.ts'

const GB = 2 ** 30
const MB = 2 ** 20
const NOW = Date.UTC(2026, 10, 23)
const MINUTE = 60_000

const at = (data: string, env: NodeJS.ProcessEnv = {}) => ({ data, exists: true, ready: undefined, env })

describe('the disk', () => {
  it.each([
    [2 * GB, 'ok'],
    [100 * MB, 'warning'],
    [10 * MB, 'problem'],
  ])('with %d free bytes is %s', (free, grade) => {
    expect(diskFinding({ free, needed: 16 * MB }).grade).toBe(grade)
  })
})

describe('the clock', () => {
  it.each([
    ['as the service and the folder', NOW - MINUTE, [NOW + 1000, NOW - 1000], 'ok'],
    ['that was set back', NOW + 2 * MINUTE, [], 'problem'],
    ['that differs from the service', NOW, [NOW, NOW - 2 * MINUTE], 'problem'],
  ])('%s is well or not', (_, written, dates, grade) => {
    expect(clockFinding(NOW, written, dates).grade).toBe(grade)
  })
})

describe('ports', () => {
  it('that are taken are a problem, with the option that chooses another', async () => {
    const server = createServer()
    onTestFinished(() => void server.close())
    const port = String(await listen(server))
    const data = await temporaryFolder()
    expect(await ports(at(data, { MIEN_EDGE_PORT: '0', MIEN_CORE_PORT: port }))).toMatchObject({
      grade: 'problem',
      text: `Port ${port} of 127.0.0.1 can't be used (EADDRINUSE).`,
      remedy: expect.stringContaining('--core-port'),
    })
    expect(await ports(at(data, { MIEN_EDGE_PORT: '0', MIEN_CORE_PORT: '0' }))).toMatchObject({ grade: 'ok' })
  })
})

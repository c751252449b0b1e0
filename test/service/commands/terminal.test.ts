/** `npm start` in a terminal: its output, its log file, and the commands that it prints. */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openLogFile } from '#commands/processes/output.ts'
import { shellWord } from '#commands/processes/ready.ts'
import { ROOT } from '#test/support/root.ts'
import { temporaryFolder, temporaryPath } from '../../unit/core/folder.ts'

const SCRIPT = spawnSync('script', ['--version']).status === 0

interface Terminal {
  child: ChildProcess
  shown(): string
}

/** Runs `npm start` in a pseudo-terminal of `script` from util-linux. */
function startInTerminal(data: string, ...args: string[]): Terminal {
  // Without `exec` the shell would get Ctrl-C, too, and exit with 130.
  const words = ['exec', process.execPath, join(ROOT, 'commands', 'mien.js'), 'start', '--data', data]
  const line = [...words, '--edge-port', '0', '--core-port', '0', ...args]
    .map(word => shellWord(word))
    .join(' ')
  const child = spawn('script', ['--quiet', '--return', '--command', line, '/dev/null'], { cwd: tmpdir() })
  let shown = ''
  child.stdout.on('data', text => (shown += text))
  onTestFinished(async () => {
    if (child.exitCode !== null) return
    child.stdin.write('\u0003')
    await once(child, 'exit')
  })
  return { child, shown: () => shown }
}

const lines = (text: string) => text.split(/\r?\n/)

describe.skipIf(!SCRIPT)('npm start in a terminal', { tags: 'long' }, () => {
  it('shows the token and the link, and writes log lines to a file that only its owner can read', async () => {
    const data = await temporaryPath('data')
    await mkdir(data)
    await writeFile(join(data, 'facenapi.ini'), 'person_identified = True\n')
    const { child, shown } = startInTerminal(data)
    await expect.poll(shown, { timeout: 100_000 }).toContain('Ctrl-C stops everything.')
    const log = join(data, 'log', 'mien.log')
    expect(shown()).toMatch(new RegExp(`\\n {2}log {4}${log}\\r?\\n`))
    expect(shown()).toContain('person_identified is not an option of this service.')
    expect(shown()).toContain(`token  ${(await readFile(join(data, 'token'), 'utf8')).trim()}`)
    expect(shown()).toMatch(/http:\/\/localhost:\d+\/#\/sign-in\/\w+/)
    child.stdin!.write('\u0003')
    const [code] = await once(child, 'exit')
    expect(code).toBe(0)
    expect(lines(shown()).filter(line => line.startsWith('{'))).toEqual([])
    const last = shown().split('Ctrl-C stops everything.')[1]
    expect(last).toMatch(/^\s*(\^C)?\s*Stopping \.\.\.\s*$/)
    const events = (await readFile(log, 'utf8'))
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line).event)
    expect(events).toEqual(expect.arrayContaining(['configuration', 'ready', 'stopping']))
    expect(statSync(log).mode & 0o777).toBe(0o600)
    expect(statSync(join(data, 'log')).mode & 0o777).toBe(0o700)
  })

  it('reports why the service does not start', async () => {
    const data = await temporaryFolder()
    await writeFile(join(data, 'facenapi.ini'), 'person_identify_threshold = 75\n')
    const { child, shown } = startInTerminal(data)
    const [code] = await once(child, 'exit')
    expect(code).toBe(1)
    expect(shown()).toContain('person_identify_threshold must be a number from 0 to 1.')
    expect(shown()).toContain('Mien could not start.')
    expect(shown()).not.toMatch(/\n {4}at /)
  })
})

it.skipIf(!SCRIPT)('mien api sends no file to a terminal', { tags: 'long' }, () => {
  const words = [process.execPath, join(ROOT, 'commands', 'mien.js'), 'api', 'exportEvidence'].map(word =>
    shellWord(word),
  )
  const args = ['--quiet', '--return', '--command', words.join(' '), '/dev/null']
  expect(spawnSync('script', args, { encoding: 'utf8' })).toMatchObject({
    status: 2,
    stdout: expect.stringContaining('Add > FILE.'),
  })
})

it('openLogFile bounds the log file and keeps one older file', async () => {
  const path = await temporaryPath('log', 'mien.log')
  const write = openLogFile(path, 100)
  for (let i = 0; i < 50; i++) write(`line ${i} äöü`)
  const [older, newer] = await Promise.all([readFile(`${path}.1`, 'utf8'), readFile(path, 'utf8')])
  for (const text of [older, newer]) expect(Buffer.byteLength(text)).toBeLessThanOrEqual(100)
  const numbers = (older + newer).match(/\d+/g)!.map(Number)
  expect(numbers).toEqual(numbers.map((_, i) => 50 - numbers.length + i))
  for (const file of [path, `${path}.1`]) expect(statSync(file).mode & 0o777).toBe(0o600)
})

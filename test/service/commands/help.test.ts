/** The program as a person starts it: help, usage errors, and the Node that runs it. */

import { type StdioOptions, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '#test/support/root.ts'
import { runMien } from '#test/support/typed.ts'
import manifest from '../../../package.json' with { type: 'json' }
import { temporaryFolder, temporaryPath } from '../../unit/core/folder.ts'

const MIEN = join(ROOT, 'commands', 'mien.js')

/** A Node that does not run TypeScript, as older ones. */
const OLD = [process.execPath, '--no-experimental-strip-types'] as const

it('help has colours in a terminal only, and none with NO_COLOR', () => {
  const { stdout } = runMien(['--help'], { FORCE_COLOR: '1', NO_COLOR: undefined })
  expect(stdout).toContain('\u001b[1mUsage:')
  expect(runMien(['--help'], { NO_COLOR: '1' }).stdout).not.toContain('\u001b')
})

it.each([
  { args: ['tokn'], says: "Unknown command 'tokn'.\n(Did you mean token?)\n\nUsage: mien [options]" },
  { args: ['token'], says: 'Usage: mien token' },
])('a usage error names the fault and the usage: $args', ({ args, says }) => {
  const { status, stdout, stderr } = runMien(args)
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
  expect(stderr.startsWith(says)).toBe(true)
})

it('a usage error stays one when its text is not read to the end', { tags: 'long' }, async () => {
  const child = spawn(process.execPath, [MIEN, 'tokn'], { stdio: ['ignore', 'ignore', 'pipe'] })
  child.stderr.destroy()
  expect(await once(child, 'exit')).toEqual([2, null])
})

it.skipIf(!existsSync('/dev/full'))('a full disk is named without a stack', { tags: 'long' }, () => {
  const stdio: StdioOptions = ['ignore', openSync('/dev/full', 'w'), 'pipe']
  expect(spawnSync(process.execPath, [MIEN, '--help'], { stdio, encoding: 'utf8' })).toMatchObject({
    status: 1,
    stderr: 'The disk is full. Free space, and run the command again.\n',
  })
})

describe('an older Node', { tags: 'long' }, () => {
  it('starts the Node that npm installs, with its output and exit code', () => {
    const run = (...args: string[]) => spawnSync(OLD[0], [OLD[1], MIEN, ...args], { encoding: 'utf8' })
    expect(run('--version')).toMatchObject({ status: 0, stdout: `${manifest.version}\n`, stderr: '' })
    expect(run('token', 'list', '--data', '/nowhere')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('There is no data folder /nowhere'),
    })
    expect(run('nonsense').status).toBe(2)
  })

  it.skipIf(process.platform === 'win32')('passes signals on, and waits for the end', async () => {
    const data = await temporaryFolder()
    const child = spawn(OLD[0], [OLD[1], MIEN, 'core', '--port', '0', '--data', data], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    for await (const chunk of child.stdout) if (String(chunk).includes('"event":"ready"')) break
    child.kill('SIGTERM')
    expect(await once(child, 'exit')).toEqual([0, null])
  })

  it('is told which Node it needs where none is installed', async () => {
    const elsewhere = await temporaryPath('commands')
    mkdirSync(elsewhere)
    cpSync(MIEN, join(elsewhere, 'mien.js'))
    cpSync(join(ROOT, 'package.json'), join(elsewhere, '..', 'package.json'))
    const { status, stderr } = spawnSync(OLD[0], [OLD[1], join(elsewhere, 'mien.js'), 'token'], {
      encoding: 'utf8',
    })
    expect(status).toBe(1)
    expect(stderr).toMatch(/^Mien needs Node\.js 22\.18 or later, best 24; this is \d+\.\d+\.\d+\. [^\n]*\n$/)
  })
})

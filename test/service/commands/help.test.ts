/** `--help` of every command, and what they say of options and arguments that they do not know. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { glob, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOT, typed } from './typed.ts'

/** Every command that is ours, with its actions. */
const COMMANDS: Record<string, string[]> = {
  start: [],
  core: [],
  edge: [],
  build: [],
  token: ['create', 'list', 'rotate', 'revoke'],
  secrets: ['list', 'rotate', 'retire', 'show'],
  store: ['stat', 'index', 'verify', 'compact', 'backup', 'restore', 'export', 'import'],
  encryption: ['status', 'on', 'rotate', 'off'],
  calibrate: ['status'],
  owner: ['list', 'delete'],
  'audit-log': ['list', 'verify', 'head', 'prune'],
  models: ['list', 'use', 'pull', 'add', 'verify', 'reembed'],
  openapi: [],
  licences: [],
  audit: [],
}

const names = Object.keys(COMMANDS)

/** What each file of the project was last, but for what builds write. */
async function tree(): Promise<string[]> {
  const found: string[] = []
  const built = /^(node_modules|dist|data|\.git|\.wrangler)$|built$/
  for await (const entry of glob('**', {
    cwd: ROOT,
    exclude: ({ name }) => built.test(name),
    withFileTypes: true,
  }))
    if (entry.isFile()) {
      const path = join(entry.parentPath, entry.name)
      const { mtimeMs, size } = await stat(path)
      found.push(`${path} ${mtimeMs} ${size}`)
    }
  return found.sort()
}

describe('help', () => {
  it('is tested of every script that runs one of our commands', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>
    }
    const ours = Object.entries(scripts).filter(([name, line]) => line === `node commands/run.js ${name}`)
    expect(ours.map(([name]) => name).sort()).toEqual(names.toSorted())
  })

  it.each(names)('of %s has an example and fits 80 columns, and changes no file', async name => {
    const before = await tree()
    expect(before.length).toBeGreaterThan(500)
    const { status, stdout, stderr } = typed([name, '--help'])
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout).toMatch(new RegExp(`Examples?:\\n  (npm (run )?${name}|openssl)`))
    expect(stdout.split('\n').filter(line => line.length > 80)).toEqual([])
    for (const action of COMMANDS[name]!) expect(stdout).toContain(`${name} -- ${action}`)
    expect(await tree()).toEqual(before)
  })

  it.each(names.filter(name => COMMANDS[name]!.length > 0))(
    'is printed after an action of %s, by -h too',
    name => {
      const { stdout } = typed([name, '--help'])
      const action = COMMANDS[name]!.at(-1)!
      expect(typed([name, action, '--data', '/nowhere', '-h'])).toEqual({ status: 0, stdout, stderr: '' })
    },
  )
})

describe('an unknown word', () => {
  it.each(names)('of %s is a usage error', name => {
    const { stdout: usage } = typed([name, '--help'])
    const action = COMMANDS[name]!.at(-1)
    for (const args of [['-x'], action === undefined ? ['nonsense'] : [action, '--nonsense']]) {
      const { status, stdout, stderr } = typed([name, ...args])
      expect({ args, status, stdout }).toEqual({ args, status: 2, stdout: '' })
      expect(stderr).toMatch(/nonsense|-x/)
      expect(stderr).toContain(usage)
    }
  })

  it.each([
    ['token', 'list', '--owner', 'ann'],
    ['token', 'list', 'ann'],
    ['store', 'verify', '--remove'],
    ['owner', 'list', '--yes'],
    ['secrets', 'rotate', 'links', 'edge'],
    ['models', '--drop-missing'],
    ['calibrate', 'status', '--off'],
    ['token', 'list', '--data'],
    ['audit-log', 'toString'],
    ['token', 'nonsense'],
    ['calibrate', 'nonsense'],
    ['store', '--nonsense'],
  ])('is an option or argument of another action: %s %s %s', (...args) => {
    expect(typed(args)).toMatchObject({ status: 2, stdout: '' })
  })

  it('is a command that there is not', () => {
    for (const name of ['nonsense', '../bench/run', 'store/verify', ''])
      expect(typed([name])).toMatchObject({ status: 1, stderr: expect.stringContaining('no command') })
  })
})

it('the benchmarks have help, too, and a list for programs', () => {
  const bench = (...args: string[]) =>
    spawnSync(process.execPath, [join(ROOT, 'bench', 'run.ts'), ...args], { encoding: 'utf8' })
  expect(bench('--help')).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('npm run bench -- latency'),
  })
  expect(bench('latency', '--help')).toMatchObject({ status: 0, stdout: expect.stringContaining('--runs') })
  const listed = JSON.parse(bench('--json').stdout) as { name: string }[]
  expect(listed.map(({ name }) => name)).toContain('latency')
  for (const args of [['nonsense'], ['--nonsense'], ['latency', '--nonsense']])
    expect(bench(...args)).toMatchObject({ status: 2, stdout: '' })
})

it('a Node that does not run TypeScript is told which one does', () => {
  const args = ['--no-experimental-strip-types', join(ROOT, 'commands', 'run.js'), 'token', 'list']
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
  expect(stderr).toMatch(/^Mien needs Node\.js 22\.18 or later, best 24; this is \d+\.\d+\.\d+\. [^\n]*\n$/)
})

/** Completion scripts, each in its shell. Shells that are not installed are skipped, but bash. */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { bashScript } from '#commands/completion/bash.ts'
import { fishScript } from '#commands/completion/fish.ts'
import { completionNodes } from '#commands/completion/tree.ts'
import { zshScript } from '#commands/completion/zsh.ts'
import { mienProgram } from '#commands/program.ts'
import { temporaryFolder } from '../core/folder.ts'
import { commandsOf, pathOf } from './parsed.ts'

const NODES = completionNodes(mienProgram())

const isInstalled = (shell: string): boolean => spawnSync(shell, ['--version']).status === 0

/** What follows on each line, after the last space, is completed: the words that a shell must offer, and one that it must not. */
const LINES: [line: string, offered: string[], not: string][] = [
  ['mien ', ['token', 'store', 'completion'], '--data'],
  ['mien to', ['token'], 'store'],
  ['mien --', ['--data', '--version', '--help'], 'token'],
  ['mien token ', ['create', 'list', 'rotate', 'revoke'], 'export'],
  ['mien token r', ['rotate', 'revoke'], 'list'],
  ['mien token list --', ['--json', '--data', '--help'], '--scope'],
  ['mien token create --scope ', ['read', 'enrol', 'camera', 'admin'], '--owner'],
  ['mien --data /srv/mien secrets rotate ', ['edge', 'links'], 'list'],
  ['mien completion ', ['bash', 'zsh', 'fish'], 'token'],
  ['mien calibrate --', ['--images', '--off', '--pack'], '--json'],
]

describe('the tree', () => {
  it('has every command of the program', () => {
    expect(NODES.map(({ path }) => path)).toEqual(commandsOf(mienProgram()).map(one => pathOf(one).join(' ')))
  })

  it('has global options in every command', () => {
    for (const { options } of NODES)
      expect(options.map(({ word }) => word)).toEqual(expect.arrayContaining(['--data', '--help']))
  })
})

describe('bash', () => {
  /** What bash offers at the end of the line, with `files` in its working folder. */
  async function completed(line: string, files: readonly string[] = []): Promise<string[]> {
    const cwd = await temporaryFolder()
    for (const file of files) writeFileSync(join(cwd, file), '')
    const words = line.split(' ')
    const quoted = words.map(word => `'${word}'`).join(' ')
    const script = `${bashScript(NODES)}
      COMP_WORDS=(${quoted}) COMP_CWORD=${words.length - 1}
      _mien mien '${words.at(-1)}' '${words.at(-2)}'
      printf '%s\\n' "\${COMPREPLY[@]}"`
    const { status, stdout, stderr } = spawnSync('bash', ['-c', script], { encoding: 'utf8', cwd })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    return stdout.split('\n').filter(word => word !== '')
  }

  it.each(LINES)('completes "%s"', async (line, offered, not) => {
    const words = await completed(line)
    expect(words).toEqual(expect.arrayContaining(offered))
    expect(words).not.toContain(not)
  })

  it.each(['mien restore ', 'mien start --config ', 'mien token list --data '])(
    'leaves "%s" to file names',
    async line => {
      expect(await completed(line)).toEqual([])
      expect(bashScript(NODES)).toMatch(/^complete -o default -F _mien mien$/m)
    },
  )

  it('has a script that bash parses, in any form of loading', async () => {
    const file = join(await temporaryFolder(), 'mien.bash')
    writeFileSync(file, bashScript(NODES))
    expect(spawnSync('bash', ['-n', file]).status).toBe(0)
    const { stdout } = spawnSync('bash', ['-c', `source ${file}; complete -p mien`], { encoding: 'utf8' })
    expect(stdout).toBe('complete -o default -F _mien mien\n')
  })
})

describe.skipIf(!isInstalled('fish'))('fish', { tags: 'fish' }, () => {
  it.each(LINES)('completes "%s"', async (line, offered, not) => {
    const script = `${fishScript(NODES)}\ncomplete --do-complete '${line}'`
    const { status, stdout } = spawnSync('fish', ['--no-config', '-c', script], {
      encoding: 'utf8',
      cwd: await temporaryFolder(),
    })
    const words = stdout.split('\n').map(row => row.split('\t')[0])
    expect(status).toBe(0)
    expect(words).toEqual(expect.arrayContaining(offered))
    expect(words).not.toContain(not)
  })
})

describe.skipIf(!isInstalled('zsh'))('zsh', { tags: 'zsh' }, () => {
  it.each(LINES)('completes "%s"', async (line, offered, not) => {
    const words = line.split(' ').map(word => `'${word}'`)
    // The functions of zsh's completion system that the script calls print what they are given.
    const script = `compdef() { }
      _describe() { print -rl -- \${(P)\${2}%%:*} }
      _files() { }
      compadd() { shift; print -rl -- $@ }
      ${zshScript(NODES)}
      words=(${words.join(' ')}) CURRENT=${words.length} PREFIX=${words.at(-1)}
      _mien`
    const { status, stdout, stderr } = spawnSync('zsh', ['-f', '-c', script], {
      encoding: 'utf8',
      cwd: await temporaryFolder(),
    })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    const prefix = line.split(' ').at(-1)!
    const shown = stdout.split('\n').filter(word => word.startsWith(prefix))
    expect(shown).toEqual(expect.arrayContaining(offered))
    expect(shown).not.toContain(not)
  })
})

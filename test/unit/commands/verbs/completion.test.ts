/** Completion: the words of a command line, and the script of each shell that is installed. */
import { spawnSync } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { mienProgram } from '#commands/program.ts'
import { completions } from '#commands/verbs/completion.ts'
import { temporaryFolder } from '../../core/folder.ts'

it.each<[line: string, offered: string[], not: string]>([
  ['', ['token', 'store', 'completion'], '--data'],
  ['--', ['--data', '--version', '--help'], 'token'],
  ['token r', ['rotate', 'revoke'], 'list'],
  ['token list --', ['--json', '--data', '--help'], '--scope'],
  ['token create --scope ', ['read', 'enrol', 'camera', 'admin'], '--owner'],
  ['--data token secrets rotate ', ['edge', 'links'], 'list'],
])('completes "mien %s"', (line, offered, not) => {
  const words = completions(mienProgram(), line.split(' '))
  expect(words).toEqual(expect.arrayContaining(offered))
  expect(words).not.toContain(not)
})

it.each(['restore ', 'start --config ', 'token list --data '])('leaves "mien %s" to file names', line => {
  expect(completions(mienProgram(), line.split(' '))).toEqual([])
})

/** What follows the script of a shell, to complete "mien token r". The functions of zsh's completion print what they are given. */
const SHELLS = [
  {
    shell: 'bash',
    args: ['-c'],
    before: '',
    after: `COMP_WORDS=(mien token r) COMP_CWORD=2; _mien; printf '%s\\n' "\${COMPREPLY[@]}"; complete -p mien`,
    printed: 'rotate\nrevoke\ncomplete -o default -F _mien mien\n',
  },
  {
    shell: 'zsh',
    args: ['-f', '-c'],
    before: 'compdef() { }; compadd() { shift; print -rl -- $@ }; _files() { print files }',
    after: 'words=(mien token r) CURRENT=3; _mien',
    printed: 'rotate\nrevoke\n',
  },
  {
    shell: 'fish',
    args: ['--no-config', '-c'],
    before: '',
    after: "complete --do-complete 'mien token r'",
    printed: 'revoke\nrotate\n',
  },
]

const isInstalled = (shell: string): boolean => spawnSync(shell, ['--version']).status === 0

describe.each(SHELLS)('$shell', ({ shell, args, before, after, printed }) => {
  const tags = shell === 'bash' ? 'long' : shell
  it.skipIf(!isInstalled(shell))('offers the words that the program prints', { tags }, async () => {
    const folder = await temporaryFolder()
    const mien = join(import.meta.dirname, '..', '..', '..', '..', 'commands', 'mien.js')
    const program = join(folder, 'mien')
    writeFileSync(program, `#!/bin/sh\nexec "${process.execPath}" "${mien}" "$@"\n`)
    chmodSync(program, 0o755)
    const env = { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH}` }
    const script = spawnSync(program, ['completion', shell], { encoding: 'utf8', env }).stdout
    const { status, stdout, stderr } = spawnSync(shell, [...args, `${before}\n${script}\n${after}`], {
      encoding: 'utf8',
      cwd: folder,
      env,
    })
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: printed, stderr: '' })
  })
})

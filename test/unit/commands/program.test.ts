/** The program `mien`: verbs, options in any position, help of every command, and usage errors. */
import type { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { mienProgram } from '#commands/program.ts'
import { commandsOf, parsed, pathOf } from './parsed.ts'

/** Whether the help shows the command. Removed ones are hidden. */
const isShown = (command: Command): boolean =>
  command.parent?.createHelp().visibleCommands(command.parent).includes(command) ?? true

const COMMANDS = commandsOf(mienProgram())
  .filter(isShown)
  .map(command => [pathOf(command).join(' ')] as const)

/** The help of a command as it is printed without a terminal. */
async function helpOf(path: readonly string[]): Promise<string> {
  let text = ''
  const mien = mienProgram()
  for (const command of commandsOf(mien))
    command.configureOutput({ writeOut: part => (text += part), getOutHelpWidth: () => 80 })
  await expect(mien.parseAsync([...path, '--help'], { from: 'user' })).rejects.toMatchObject({ exitCode: 0 })
  return text
}

describe('a command line', () => {
  it.each([
    [['token', 'list', '--data', '/a', '--json']],
    [['token', '--data', '/a', 'list', '--json']],
    [['token', 'list', '--json', '--data=/a']],
  ])('takes --data in any place: %j', async args => {
    expect(await parsed(args)).toEqual({
      path: ['token', 'list'],
      options: { data: '/a', json: true },
      args: [],
    })
  })

  it('has defaults, arguments and several files', async () => {
    expect(await parsed(['token', 'rotate', '0123456789ab'])).toMatchObject({
      options: { grace: '24h' },
      args: ['0123456789ab'],
    })
    expect(await parsed(['token', 'create', '--owner', 'ann'])).toMatchObject({
      options: { owner: 'ann', scope: 'admin', name: '' },
    })
  })

  it('has restore as a verb, too', async () => {
    for (const path of [['backup'], ['restore'], ['store', 'restore']])
      expect(await parsed([...path, '/b'])).toMatchObject({ path, args: ['/b'] })
  })

  it.each([
    [['token', 'list', '--owner', 'ann']],
    [['token', 'list', 'ann']],
    [['secrets', 'rotate', 'nonsense']],
    [['models', '--drop-missing']],
    [['token', 'list', '--data']],
    [['token', 'create', '--owner', 'a', '--scope', 'root']],
    [['token', 'rotate']],
    [['secrets']],
    [['core', '--nonsense']],
    [['enrol', 'people', '--min-quality', '2']],
    [['enrol', 'people', '--check-others', 'maybe']],
    [['audit', 'toString']],
    [['nonsense']],
    [['']],
    [[]],
  ])('is refused with an option or argument of another command, or without its own: %j', async args => {
    await expect(parsed(args)).rejects.toMatchObject({ name: 'CommanderError', exitCode: 1 })
  })
})

describe('help', () => {
  it.each(COMMANDS)('of "mien %s" describes everything, fits 80 columns and has an example', async name => {
    const path = name.split(' ').filter(word => word !== '')
    const text = await helpOf(path)
    expect(text.split('\n').filter(line => line.length > 80)).toEqual([])
    expect(text).toMatch(new RegExp(`\\nExamples?:\\n  (mien (\\w+ )?${path.at(-1) ?? ''}|openssl)`))
    const command = commandsOf(mienProgram()).find(one => pathOf(one).join(' ') === name)!
    const described = [...command.options, ...command.registeredArguments, command]
    for (const part of described) {
      const description = typeof part.description === 'function' ? part.description() : part.description
      expect(description).not.toBe('')
    }
  })

  it('of the program names every verb and the exit codes', async () => {
    const text = await helpOf([])
    for (const { name } of mienProgram().commands.map(verb => ({ name: verb.name() })))
      expect(text).toMatch(new RegExp(`^  ${name} `, 'm'))
    expect(text).toContain('Exit codes: 0 success, 1 failure or finding, 2 usage error.')
  })
})

/** The program `mien`: verbs, options in any position, help of every command, and usage errors. */
import { chown } from 'node:fs/promises'
import { mienProgram } from '#commands/program.ts'
import { OPERATIONS } from '#contract/operations/table.ts'
import { overriddenParameters } from '#contract/parameters/json-schema.ts'
import { temporaryFolder } from '../core/folder.ts'
import { commandsOf, isShown, parseWords, pathOf } from './parsed.ts'

const COMMANDS = commandsOf(await mienProgram(['api']))
  .filter(isShown)
  .map(command => [pathOf(command).join(' ')] as const)

/** The help of a command as it is printed without a terminal. */
async function helpOf(path: readonly string[]) {
  let text = ''
  const mien = await mienProgram(path)
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
    expect(await parseWords(args)).toEqual({
      path: ['token', 'list'],
      options: { data: '/a', json: true },
      args: [],
    })
  })

  it('has defaults, arguments and several files', async () => {
    expect(await parseWords(['token', 'rotate', '0123456789ab'])).toMatchObject({
      options: { grace: '24h' },
      args: ['0123456789ab'],
    })
    expect(await parseWords(['token', 'create', '--owner', 'ann'])).toMatchObject({
      options: { owner: 'ann', scope: 'admin', name: '' },
    })
  })

  it('of root is refused at the folder of another user', async () => {
    const data = await temporaryFolder()
    const uid = process.getuid!() || 999
    await chown(data, uid, process.getgid!())
    const effective = vi.spyOn(process, 'geteuid').mockReturnValue(0)
    const args = ['store', 'verify', '--data', data]
    await expect(parseWords(args)).rejects.toThrow(`sudo -u '#${uid}'`)
    expect(await parseWords(['start', '--data', data])).toMatchObject({ path: ['start'] })
    effective.mockReturnValue(uid)
    expect(await parseWords(args)).toMatchObject({ path: ['store', 'verify'] })
  })

  it('has restore as a verb, too', async () => {
    for (const path of [['backup'], ['restore'], ['store', 'restore']])
      expect(await parseWords([...path, '/b'])).toMatchObject({ path, args: ['/b'] })
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
    [['api', 'detekt']],
    [['api', 'listPersons', 'ann']],
    [['api', 'followEvents']],
    [['nonsense']],
    [['']],
    [[]],
  ])('is refused with an option or argument of another command, or without its own: %j', async args => {
    await expect(parseWords(args)).rejects.toMatchObject({ name: 'CommanderError', exitCode: 1 })
  })
})

describe('help', () => {
  it.each(COMMANDS)('of "mien %s" describes everything, fits 80 columns and has an example', async name => {
    const path = name.split(' ').filter(word => word !== '')
    const text = await helpOf(path)
    expect(text.split('\n').filter(line => line.length > 80)).toEqual([])
    expect(text).toMatch(new RegExp(`\\nExamples?:\\n  (mien (\\w+ )?${path.at(-1) ?? ''}|openssl)`))
    const command = commandsOf(await mienProgram(path)).find(one => pathOf(one).join(' ') === name)!
    const described = [...command.options, ...command.registeredArguments, command]
    for (const part of described) {
      const description = typeof part.description === 'function' ? part.description() : part.description
      expect(description).not.toBe('')
    }
  })

  it('of the program names every verb and the exit codes', async () => {
    const text = await helpOf([])
    const verbs = (await mienProgram()).commands.filter(isShown)
    for (const verb of verbs) expect(text).toMatch(new RegExp(`^  ${verb.name()} `, 'm'))
    expect(text).toContain('Exit codes: 0 success, 1 failure or finding, 2 usage error.')
  })

  it('of each operation of the API has its parameters, and marks the required ones', async () => {
    for (const { name, parameters, answerType } of OPERATIONS) {
      const isStream = ['text/event-stream', 'multipart/x-mixed-replace'].includes(answerType ?? '')
      expect(COMMANDS.flat().includes(`api ${name}`), name).toBe(!isStream)
      if (isStream) continue
      const { properties, required } = overriddenParameters(parameters)
      const lines = (await helpOf(['api', name])).split('\n')
      for (const parameter of Object.keys(properties)) {
        expect(['data', 'version', 'help'], 'options of the program').not.toContain(parameter)
        const [line] = lines.filter(each => each.startsWith(`  --${parameter} `))
        expect(line, `${name} --${parameter}`).toBeDefined()
        expect(line!.includes('Required.'), `${name} --${parameter}`).toBe(required.includes(parameter))
      }
    }
  })
})

describe('a removed command', () => {
  it.each([
    [['gallery', 'list', '--json'], 'mien gallery list is removed: use mien api listGalleries.'],
    [['camera', 'create', '--help'], 'mien camera create is removed: use mien api createCamera.'],
    [['person'], /^mien person is removed: use mien api listPersons, .*, deletePerson\.$/],
    [['bench', 'photo.jpg'], /^mien bench is removed\.$/],
    [['gallery', 'constructor'], /^mien gallery is removed: use mien api listGalleries, /],
  ])('names the operations that replace it: %j', async (args, message) => {
    await expect(parseWords(args)).rejects.toThrow(message)
  })

  it('is replaced by operations that exist', async () => {
    const mien = await mienProgram()
    for (const verb of mien.commands.filter(command => !isShown(command))) {
      const message = await parseWords([verb.name()]).catch(String)
      const [, names = ''] = /mien api (.+)\.$/.exec(String(message)) ?? []
      expect(COMMANDS.flat()).toEqual(
        expect.arrayContaining(
          names
            .split(', ')
            .filter(Boolean)
            .map(name => `api ${name}`),
        ),
      )
    }
  })
})

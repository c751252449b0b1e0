/**
 * The command line takes all commands of the documentation and of the help. Links lead to headings, and docs/security.md
 * names tests.
 */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { mienProgram } from '#commands/program.ts'
import {
  commandsIn,
  type Documented,
  inlineCommands,
  PAGES,
  shellCommands,
} from '#test/support/documented.ts'
import { ROOT } from '#test/support/root.ts'
import { commandsOf, isShown, parseWords } from './commands/parsed.ts'

const SCRIPTS = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).scripts

/** Commands of npm itself. */
const NPM = ['ci', 'install', 'pack', 'start', 'test']

const proseOf = (page: string) => readFileSync(join(ROOT, page), 'utf8').replace(/^```[\s\S]*?^```$/gm, '')

/** Anchors of the headings of a page, as GitHub makes them. */
const anchorsOf = (page: string) =>
  [...proseOf(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  )

/** Error of the command line about the words behind `mien`; undefined when it takes them. */
async function refusalOf(words: readonly string[]) {
  try {
    await parseWords(words)
  } catch (error) {
    const { code, message } = error as { code: string; message: string }
    if (!code.startsWith('commander.help') || !(words[0] === 'help' || words.at(-1) === '--help'))
      return message
  }
  return undefined
}

/** Wrong commands, each with its error. */
async function refused(
  commands: readonly Documented[],
  check: (words: string[]) => Promise<string | undefined> | string | undefined,
) {
  const found = await Promise.all(commands.map(async ({ text, words }) => [text, await check(words)]))
  return found.flatMap(([text, why]) => (why === undefined ? [] : [`${text}: ${why}`]))
}

/** Inline code may leave arguments out, and end in placeholders. Its verb, command and options exist: in upgrade.md also removed ones. */
async function unknownName(words: readonly string[], page: string) {
  const mien = await mienProgram(words)
  let command = mien
  for (const word of words) {
    const next = command.commands.find(
      one => one.name() === word && (isShown(one) || page === 'docs/upgrade.md'),
    )
    if (next) command = next
    else if (command.commands.length > 0 && /^[a-z][a-z-]+$/.test(word)) {
      if (command.registeredArguments.length === 0) return `${word} is no command of ${command.name()}`
    } else if (word.startsWith('--') && word !== '--help') {
      const [name] = word.split('=')
      const known = [...mien.options, ...command.options]
      if (!known.some(({ long }) => long === name)) return `${word} is no option of ${command.name()}`
    }
  }
  return undefined
}

const of = (page: string, program: string) => commandsIn(page).filter(({ words }) => words[0] === program)

describe('the documentation', () => {
  it.each(PAGES)('%s has only commands that the command line takes', async page => {
    expect(await refused(of(page, 'mien'), words => refusalOf(words.slice(1)))).toEqual([])
    expect(await refused(inlineCommands(page), words => unknownName(words.slice(1), page))).toEqual([])
  })

  it.each([...PAGES, ...globSync('docs/decisions/*.md', { cwd: ROOT })])(
    '%s links to pages and headings that exist',
    page => {
      const links = [...proseOf(page).matchAll(/\]\((?!https?:)([^)#\s]*)#?([^)\s]*)\)/g)]
      const isBroken = (file: string, anchor: string) =>
        !existsSync(join(ROOT, file)) || (anchor !== '' && !anchorsOf(file).includes(anchor))
      const broken = links.filter(([, file = '', anchor = '']) =>
        isBroken(file === '' ? page : join(dirname(page), file), anchor),
      )
      expect(broken.map(([link]) => link)).toEqual([])
    },
  )

  it.each(PAGES)('%s has only npm scripts that exist', async page => {
    const missing = await refused(of(page, 'npm'), ([, command = '', script = '']) =>
      (command === 'run' ? script in SCRIPTS : NPM.includes(command))
        ? undefined
        : 'There is no such script.',
    )
    expect(missing).toEqual([])
  })

  it.each(['README.md', 'docs/README.md', 'docs/migrate.md', 'docs/openapi/v1.json'])(
    '%s names the compatible API in its first lines',
    page => {
      const start = readFileSync(join(ROOT, page), 'utf8').slice(0, 500)
      expect(start).toMatch(/API of FindFace Enterprise\sServer 2\.x.*not affiliated/s)
    },
  )
})

describe('CONTRIBUTING.md', () => {
  const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')
  const page = read('CONTRIBUTING.md')

  it('names files that exist', () => {
    const files = [...page.matchAll(/`((?:[\w.-]+\/)+[\w-]+\.(?:ts|py|md))`/g)].map(([, file = '']) => file)
    expect(files.length).toBeGreaterThan(5)
    expect(files.filter(file => !existsSync(join(ROOT, file)))).toEqual([])
  })

  it('names the Debian packages that .ci/run installs', () => {
    const sorted = (names = '') => names.split(/[\s\\]+/).sort()
    const [, installed] = /^packages='([^']+)'/m.exec(read('.ci/run'))!
    const [, named] = /^sudo apt-get install --no-install-recommends ([^`]+)\n```/m.exec(page)!
    expect(sorted(named)).toEqual(sorted(installed))
  })
})

it('the help has only examples that the command line takes', async () => {
  const texts: string[] = []
  for (const command of commandsOf(await mienProgram(['api']))) {
    command.configureOutput({ writeOut: text => texts.push(text) })
    command.outputHelp()
  }
  const examples = texts
    .flatMap(text => [...text.matchAll(/^ {2}((?:[A-Z_]+=\S+ )?mien .*)$/gm)].map(([, line = '']) => line))
    .flatMap(line => shellCommands(line).slice(0, 1))
    .map(command => ({ ...command, page: '', words: command.words.slice(command.words.indexOf('mien')) }))
  expect(examples.length).toBeGreaterThan(40)
  expect(await refused(examples, words => refusalOf(words.slice(1)))).toEqual([])
})

/** Rows of the table: threat, defence and tests. */
const rows = readFileSync(join(ROOT, 'docs', 'security.md'), 'utf8')
  .split('\n')
  .filter(line => line.startsWith('|'))
  .slice(2)
  .map(line => line.split('|').map(cell => cell.trim()))
  .map(([, threat = '', defence = '', tests = '']) => ({ threat, defence, tests }))

it.each(rows)(
  'docs/security.md names a defence and an existing test for "$threat"',
  ({ threat, defence, tests }) => {
    expect(threat).not.toBe('')
    expect(defence).not.toBe('')
    const files = [...tests.matchAll(/`([^`]+)`/g)].map(([, file]) => file!)
    expect(files).not.toEqual([])
    for (const file of files) expect(existsSync(join(ROOT, file)), file).toBe(true)
  },
)

/** Commands of the documentation: shell blocks and inline code of its pages. */

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '#test/support/root.ts'

export const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  ...globSync(['docs/*.md', 'clients/*/README.md'], { cwd: ROOT }),
].sort()

export interface Documented {
  page: string
  /** The command as on the page, without the rest of a pipe and without comment. */
  text: string
  /** Words without variables in front, launchers (`npx`, `sudo -u mien env`, `docker compose exec core`) and redirections. */
  words: string[]
}

/** The code blocks of a language in a page, in order. */
export function blocksOf(page: string, language: string): string[] {
  const text = readFileSync(join(ROOT, page), 'utf8')
  const blocks = text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))
  return [...blocks].map(([, code = '']) => code)
}

/** Shell blocks of a page, in order. Continued lines are one line. */
export const shellBlocks = (page: string): string[] =>
  blocksOf(page, 'sh').map(code => code.replaceAll('\\\n', ' '))

/** Whether a command only sets variables of the shell. */
export const isAssignment = ({ words }: Pick<Documented, 'words'>): boolean =>
  words.every(word => /^\w+=/.test(word))

/** Commands of a page's shell blocks whose program is `mien`, `npm` or `curl`. */
export const commandsIn = (page: string): Documented[] =>
  shellBlocks(page).flatMap(block =>
    shellCommands(block).flatMap(({ text, words }) => {
      const own = withoutLauncher(words)
      return ['mien', 'npm', 'curl'].includes(own[0] ?? '') ? [{ page, text, words: own }] : []
    }),
  )

/** Inline code of a page that names a command of `mien`: words up to a placeholder. */
export const inlineCommands = (page: string): Documented[] =>
  [
    ...readFileSync(join(ROOT, page), 'utf8')
      .replace(/^```[\s\S]*?^```$/gm, '')
      .matchAll(/`([^`\n]+)`/g),
  ]
    .filter(([, text = '']) => /\bmien\b/.test(text))
    .flatMap(([, text = '']) => shellCommands(text))
    .map(({ text, words }) => ({ page, text, words: withoutLauncher(words) }))
    .filter(({ words }) => words[0] === 'mien' && words.length > 1)

/** A path of the program: of a release, or of a container. */
const MIEN_PATH = /^(\S*\/bin\/mien|commands\/mien\.js)$/

/** Removes what runs `mien`: variables, `npx`, and programs that run it as another user or elsewhere. */
export function withoutLauncher(words: readonly string[]): string[] {
  const isVariable = (word: string) => /^\w+=/.test(word)
  const rest = words.slice(words.findIndex(word => !isVariable(word)))
  if (rest[0] === 'npx') return rest.slice(1)
  const at = rest.findIndex(word => MIEN_PATH.test(word))
  return at < 0 ? rest : ['mien', ...rest.slice(at + 1)]
}

/** Splits shell code into commands and words, as far as the pages use the shell: quotes, comments, lists, pipes, redirections. */
export function shellCommands(code: string): { text: string; words: string[] }[] {
  const commands: { text: string; words: string[] }[] = []
  let words: string[] = []
  let text = ''
  const end = () => {
    if (words.length > 0) commands.push({ text: text.trim(), words })
    words = []
    text = ''
  }
  const token =
    /(\s+)|(#.*)|(&&|\|\||[|;()\n])|([0-9]?>>?\s*\S+|<<?\s*\S+)|((?:'[^']*'|"[^"]*"|\$\([^)]*\)|\\.|[^\s'"|;()&><]|&(?!&))+)/gy
  let read = 0
  for (const [all, space, comment, separator, redirection, word] of code.matchAll(token)) {
    read += all.length
    if (separator || space?.includes('\n')) end()
    else if (comment === undefined) {
      text += all
      if (word !== undefined && redirection === undefined) words.push(unquoted(word))
    }
  }
  end()
  if (read < code.length) throw new Error(`This shell code is not read: ${code.slice(read)}`)
  return commands
}

const unquoted = (word: string) =>
  word.replace(/'([^']*)'|"([^"]*)"|\\(.)/g, (_, single, double, escaped) => single ?? double ?? escaped)

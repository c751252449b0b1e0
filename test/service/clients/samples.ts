/** Samples of documentation: code blocks, and the output that their comments promise. */

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ROOT } from '#test/support/root.ts'

/** The code blocks of a language in a page, in order. */
export async function blocksOf(page: string, language: string): Promise<string[]> {
  const text = await readFile(join(ROOT, page), 'utf8')
  const blocks = text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))
  return [...blocks].map(([, code = '']) => code)
}

/** The comments behind the lines that print, each the output of its line. */
export const promisedOutput = (code: string): string[] =>
  code
    .split('\n')
    .filter(line => /\b(?:console\.log|print)\(/.test(line))
    .map(line => /\s(?:\/\/|#) (.*)$/.exec(line)?.[1] ?? 'a line without a comment')

/** Lines of an output. */
export const linesOf = (output: string): string[] => output.split('\n').filter(line => line !== '')

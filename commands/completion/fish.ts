/** Completion script for fish. */
import type { CompletionNode } from './tree.ts'

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

/** The script. Where it offers no word, fish completes file names. */
export const fishScript = (nodes: readonly CompletionNode[]): string => `# mien completion fish | source
function __mien_at
  set --local at
  for word in (commandline -opc)[2..]
    contains -- "$(string join -- ' ' $at $word)" ${nodes.map(({ path }) => quoted(path)).join(' ')}
    and set --append at $word
  end
  test "$argv[1]" = "$(string join -- ' ' $at)"
end
${nodes.map(linesOf).join('\n')}
`

function linesOf({ path, words, options, valued }: CompletionNode): string {
  const start = `complete --command mien --condition ${quoted(`__mien_at ${quoted(path)}`)}`
  const lines = words.map(
    ({ word, description }) =>
      `${start} --no-files --arguments ${quoted(word)} --description ${quoted(description)}`,
  )
  for (const { word, description } of options) {
    const value = valued.find(one => one.word === word)
    const values = value?.values.length ? ` --exclusive --arguments ${quoted(value.values.join(' '))}` : ''
    const takes = values || (value ? ' --require-parameter' : '')
    lines.push(`${start} --long-option ${word.slice(2)} --description ${quoted(description)}${takes}`)
  }
  return lines.join('\n')
}

/** Text of completion scripts that several shells share. */
import type { CompletionNode } from './tree.ts'

/** A word in single quotes, for POSIX shells. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** A `case` branch for each node, with `body` of the node. Nodes with an empty body are left out. */
export const branches = (nodes: readonly CompletionNode[], body: (node: CompletionNode) => string): string =>
  nodes
    .map(node => ({ path: node.path, text: body(node) }))
    .filter(({ text }) => text !== '')
    .map(({ path, text }) => `    ${quoted(path)}) ${text} ;;`)
    .join('\n')

/** Patterns of the nodes below the program, for the loop that follows the typed words. */
export const pathPattern = (nodes: readonly CompletionNode[]): string =>
  nodes
    .filter(({ path }) => path !== '')
    .map(({ path }) => quoted(path))
    .join('|')

/** A branch for each option of a node with a list of values. `offer` is the shell's command for these values. */
export const valueBranches = (
  nodes: readonly CompletionNode[],
  offer: (values: readonly string[]) => string,
): string =>
  nodes
    .flatMap(({ path, valued }) =>
      valued
        .filter(({ values }) => values.length > 0)
        .map(({ word, values }) => `    ${quoted(`${path} ${word}`)}) ${offer(values)}; return ;;`),
    )
    .join('\n')

/** All options that take a value, as a pattern. */
export const valuedPattern = (nodes: readonly CompletionNode[]): string =>
  [...new Set(nodes.flatMap(({ valued }) => valued.map(({ word }) => word)))].sort().join('|')

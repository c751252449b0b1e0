/** Completion script for bash. */
import { branches, pathPattern, quoted, valueBranches, valuedPattern } from './shell-text.ts'
import type { Choice, CompletionNode } from './tree.ts'

const list = (choices: readonly Choice[]): string => choices.map(({ word }) => word).join(' ')

/** The script. Where it offers no word, bash completes file names. */
export const bashScript = (nodes: readonly CompletionNode[]): string => `# eval "$(mien completion bash)"
_mien() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} at= word words= options=
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "\${at:+$at }$word" in
      ${pathPattern(nodes)}) at="\${at:+$at }$word" ;;
    esac
  done
  COMPREPLY=()
  case "$at $previous" in
${valueBranches(nodes, values => `COMPREPLY=($(compgen -W ${quoted(values.join(' '))} -- "$current"))`)}
  esac
  case "$previous" in
    ${valuedPattern(nodes)}) return ;;
  esac
  case "$at" in
${branches(nodes, ({ words, options }) => `words=${quoted(list(words))} options=${quoted(list(options))}`)}
  esac
  [[ $current == -* ]] && words=$options
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _mien mien
`

/** Completion script for zsh. */
import { branches, pathPattern, quoted, valueBranches, valuedPattern } from './shell-text.ts'
import type { Choice, CompletionNode } from './tree.ts'

/** Words with descriptions as `_describe` takes them; a colon separates both. */
const described = (choices: readonly Choice[]): string =>
  choices
    .map(({ word, description }) =>
      quoted(description ? `${word}:${description.replaceAll(':', '\\:')}` : word),
    )
    .join(' ')

/** The script. Where it offers no word, zsh completes file names. */
export const zshScript = (nodes: readonly CompletionNode[]): string => `#compdef mien
# source <(mien completion zsh)
_mien() {
  local at= word previous=\${words[CURRENT-1]}
  local -a choices options
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "\${at:+$at }$word" in
      ${pathPattern(nodes)}) at="\${at:+$at }$word" ;;
    esac
  done
  case "$at $previous" in
${valueBranches(nodes, values => `compadd -- ${values.join(' ')}`)}
  esac
  case "$previous" in
    ${valuedPattern(nodes)}) _files; return ;;
  esac
  case "$at" in
${branches(nodes, ({ words, options }) => `choices=(${described(words)}) options=(${described(options)})`)}
  esac
  if [[ $PREFIX == -* ]]; then _describe option options
  elif (( $#choices )); then _describe command choices
  else _files
  fi
}
if [[ $funcstack[1] == _mien ]]; then _mien; else compdef _mien mien; fi
`

/** `mien completion`: prints a script that completes commands, options and values in a shell. */
import { Argument, type Command, type Option } from 'commander'
import { action, examples, type GlobalOptions } from '../terminal/command-line.ts'

/** Each script asks `mien completion` for the words. Where it prints none, the shell completes file names. */
const SCRIPTS: Record<string, string> = {
  bash: `# eval "$(mien completion bash)"
_mien() {
  local IFS=$'\\n'
  COMPREPLY=($(mien completion bash -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2> /dev/null))
}
complete -o default -F _mien mien
`,
  zsh: `#compdef mien
# source <(mien completion zsh)
_mien() {
  local -a found=(\${(f)"$(mien completion zsh -- "\${(@)words[2,CURRENT]}" 2> /dev/null)"})
  if (( $#found )); then compadd -- $found; else _files; fi
}
if [[ $funcstack[1] == _mien ]]; then _mien; else compdef _mien mien; fi
`,
  fish: `# mien completion fish | source
function __mien_words
  set --local found (mien completion fish -- (commandline -opc)[2..] (commandline -ct) 2> /dev/null)
  or set found
  if set --query found[1]
    printf '%s\\n' $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete --command mien --no-files --arguments '(__mien_words)'
`,
}

export function addCompletion(mien: Command): void {
  mien
    .command('completion')
    .description('Print a script that completes verbs, commands and options in a shell.')
    .addArgument(new Argument('<SHELL>', 'the shell').choices(Object.keys(SCRIPTS)))
    .argument('[WORDS...]', 'words after mien: print what the last one may become')
    .addHelpText(
      'after',
      examples(
        'mien completion bash > ~/.local/share/bash-completion/completions/mien',
        'mien completion zsh > ~/.zsh/completions/_mien    # a folder of fpath',
        'mien completion fish > ~/.config/fish/completions/mien.fish',
      ),
    )
    .action(
      action(async (_: GlobalOptions, shell: string, words: string[]) => {
        const text = words.length === 0 ? SCRIPTS[shell]! : completions(mien, words).join('\n')
        process.stdout.write(text)
        return 0
      }),
    )
}

/** What the last word of a command line may become; nothing where a file name may stand. */
export function completions(mien: Command, line: readonly string[]): string[] {
  const last = line.at(-1) ?? ''
  let command = mien
  let options = optionsOf(mien)
  let valued: Option | undefined
  for (const word of line.slice(0, -1)) {
    const named = valued ? undefined : options.find(({ long, short }) => long === word || short === word)
    const below = valued ? undefined : command.commands.find(each => each.name() === word)
    valued = named?.required ? named : undefined
    if (below) {
      command = below
      options = [...optionsOf(below), ...options]
    }
  }
  return wordsAt(command, options, { valued, isOption: last.startsWith('-') }).filter(word =>
    word.startsWith(last),
  )
}

const optionsOf = (command: Command): Option[] => command.options.filter(({ hidden }) => !hidden)

function wordsAt(
  command: Command,
  options: readonly Option[],
  { valued, isOption }: { valued: Option | undefined; isOption: boolean },
): string[] {
  if (valued) return valued.argChoices ?? []
  if (isOption) return [...options.map(({ long, short }) => long ?? short ?? ''), '--help']
  const values = command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices)
  return [...command.commands.map(each => each.name()), ...values]
}

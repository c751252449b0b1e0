/** `mien completion`: prints a script that completes commands and options in a shell. */
import { Argument, type Command } from 'commander'
import { action, examples, type GlobalOptions } from './terminal/command-line.ts'

/** Writes the script of a shell to standard output. */
const SCRIPTS: Record<string, (mien: Command) => Promise<string>> = {
  bash: async mien => (await import('./completion/bash.ts')).bashScript(await nodesOf(mien)),
  zsh: async mien => (await import('./completion/zsh.ts')).zshScript(await nodesOf(mien)),
  fish: async mien => (await import('./completion/fish.ts')).fishScript(await nodesOf(mien)),
}

const nodesOf = async (mien: Command) => (await import('./completion/tree.ts')).completionNodes(mien)

export function addCompletion(mien: Command): void {
  mien
    .command('completion')
    .description('Print a script that completes verbs, commands and options in a shell.')
    .addArgument(new Argument('<SHELL>', 'the shell').choices(Object.keys(SCRIPTS)))
    .addHelpText(
      'after',
      examples(
        'mien completion bash > ~/.local/share/bash-completion/completions/mien',
        'mien completion zsh > ~/.zsh/completions/_mien    # a folder of fpath',
        'mien completion fish > ~/.config/fish/completions/mien.fish',
      ),
    )
    .action(
      action(async (_: GlobalOptions, shell: string) => {
        process.stdout.write(await SCRIPTS[shell]!(mien))
        return 0
      }),
    )
}

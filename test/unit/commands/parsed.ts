/** Parses command lines with the program's own definitions, and runs nothing. */
import type { Command } from 'commander'
import { mienProgram } from '#commands/program.ts'

interface Parsed {
  /** Names of the verb and its command: `['token', 'list']`. */
  path: string[]
  options: Record<string, unknown>
  args: unknown[]
}

/** Whether the help shows the command. Removed ones are hidden, and refuse every command line. */
export const isShown = (command: Command): boolean =>
  command.parent?.createHelp().visibleCommands(command.parent).includes(command) ?? true

/** Arguments for the action of this command line. Rejects with commander's error. */
export async function parseWords(args: readonly string[]): Promise<Parsed> {
  const found: Parsed[] = []
  const mien = await mienProgram(args)
  for (const command of commandsOf(mien)) {
    command.configureOutput({ writeOut: () => {}, writeErr: () => {} })
    if (!isShown(command)) continue
    if (command.commands.length === 0 || ['models', 'backup', 'settings'].includes(command.name()))
      command.action(function (this) {
        found.push({ path: pathOf(this), options: this.optsWithGlobals(), args: this.processedArgs })
      })
  }
  await mien.parseAsync(args, { from: 'user' })
  return found[0]!
}

/** A command and all commands below it. */
export const commandsOf = (command: Command): Command[] => [
  command,
  ...command.commands.flatMap(child => commandsOf(child)),
]

/** The names of a command and of those above it, without the program's. */
export const pathOf = (command: Command): string[] =>
  command.parent ? [...pathOf(command.parent), command.name()] : []

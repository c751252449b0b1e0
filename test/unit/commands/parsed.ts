/** Parses command lines with the program's own definitions, and runs nothing. */
import type { Command } from 'commander'
import { mienProgram } from '#commands/program.ts'

export interface Parsed {
  /** Names of the verb and its command: `['token', 'list']`. */
  path: string[]
  options: Record<string, unknown>
  args: unknown[]
}

/** The program, with every command's action replaced. Its output is discarded. */
export function parsingProgram(onAction: (parsed: Parsed) => void): Command {
  const mien = mienProgram()
  for (const command of commandsOf(mien)) {
    command.configureOutput({ writeOut: () => {}, writeErr: () => {} })
    if (command.commands.length === 0 || ['models', 'backup', 'settings'].includes(command.name()))
      command.action(function (this: Command) {
        onAction({ path: pathOf(this), options: this.optsWithGlobals(), args: this.processedArgs })
      })
  }
  return mien
}

/** What the action of this command line would get. Rejects with commander's error. */
export async function parsed(args: readonly string[]): Promise<Parsed> {
  const found: Parsed[] = []
  await parsingProgram(parsed => found.push(parsed)).parseAsync(args, { from: 'user' })
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

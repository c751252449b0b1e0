/** The commands, options and values of a program, as completion scripts list them. */
import type { Command, Option } from 'commander'

export interface Choice {
  /** A command, an option or a value. */
  word: string
  /** One line; empty for values. */
  description: string
}

export interface ValueOption {
  /** The option, such as `--scope`. */
  word: string
  /** Accepted values; empty for any value. */
  values: readonly string[]
}

/** What may follow the names of a command. */
export interface CompletionNode {
  /** Names of the verb and its command, separated by spaces; empty for the program. */
  path: string
  /** Commands, or accepted values of the arguments. */
  words: readonly Choice[]
  options: readonly Choice[]
  /** Options that take a value. */
  valued: readonly ValueOption[]
}

/** The nodes of a program and of all commands below it. */
export const completionNodes = (program: Command): CompletionNode[] => nodesBelow(program, [])

function nodesBelow(command: Command, above: readonly Option[]): CompletionNode[] {
  const options = [...command.options.filter(({ hidden }) => !hidden), ...above]
  const node = {
    path: pathOf(command),
    words: [...command.commands.map(commandChoice), ...argumentChoices(command)],
    options: [...options.map(optionChoice), { word: '--help', description: 'print this help' }],
    valued: options.filter(({ required }) => required).map(valueOption),
  }
  return [node, ...command.commands.flatMap(child => nodesBelow(child, options))]
}

/** The names of a command and of those above it, without the program's. */
const pathOf = (command: Command): string =>
  command.parent ? `${pathOf(command.parent)} ${command.name()}`.trim() : ''

const commandChoice = (command: Command): Choice => ({
  word: command.name(),
  description: command.summary() || command.description(),
})

const argumentChoices = ({ registeredArguments }: Command): Choice[] =>
  registeredArguments.flatMap(({ argChoices = [] }) => argChoices.map(word => ({ word, description: '' })))

const wordOf = ({ long, short }: Option): string => long ?? short ?? ''

const optionChoice = (option: Option): Choice => ({ word: wordOf(option), description: option.description })

const valueOption = (option: Option): ValueOption => ({
  word: wordOf(option),
  values: option.argChoices ?? [],
})

/** Shared basis of all commands: arguments, help, JSON output and exit codes. */
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { UsageError } from './usage-error.ts'

/** Options and arguments of an action. */
export interface Action {
  /** Names of the accepted options. `data` is always accepted. */
  options?: readonly string[]
  /** Maximum number of arguments; 0 by default. */
  most?: number
  /** Error message for a missing first argument; when absent, the argument is optional. */
  missing?: string
}

export interface CommandLine<Options extends ParseArgsOptionsConfig, Name extends string = ''> {
  /** Text for `--help`, also printed after a usage error. */
  usage: string
  options: Options
  /** Actions by name; "" is the action without a name. Without actions, the command takes only options. */
  actions?: Readonly<Record<Name, Action>>
}

export interface Arguments<Options extends ParseArgsOptionsConfig, Name extends string = ''> {
  action: Name
  /** Arguments after the action. */
  args: string[]
  values: ReturnType<typeof parseArgs<{ options: Options }>>['values']
}

/**
 * Parses the arguments of this process, runs the command and sets the exit code: the result of `run`; 2, with the
 * usage, for a usage error; 1, with the message, for any other error. `--help` and `-h` print the usage, run nothing
 * and exit with 0.
 */
export async function runCommand<const Options extends ParseArgsOptionsConfig, Name extends string = ''>(
  line: CommandLine<Options, Name>,
  run: (given: Arguments<Options, Name>) => Promise<number>,
): Promise<void> {
  exitOnClosedPipe()
  const args = process.argv.slice(2)
  if (asksForHelp(args)) {
    console.log(line.usage)
    return
  }
  try {
    process.exitCode = await run(argumentsOf(line, args))
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const isMisuse = error instanceof UsageError
    console.error(isMisuse ? `${message}\n\n${line.usage}` : message)
    process.exitCode = isMisuse ? 2 : 1
  }
}

/** Parses and checks arguments. Throws UsageError that names the wrong option or argument. */
export function argumentsOf<const Options extends ParseArgsOptionsConfig, Name extends string = ''>(
  { options, actions }: CommandLine<Options, Name>,
  args: readonly string[],
): Arguments<Options, Name> {
  const { values, positionals, tokens } = parsed(args, options)
  const [action = '', ...rest] = actions ? positionals : ['', ...positionals]
  const allowed: Action = actions ? actionNamed(actions, action) : {}
  refuseSurplus(action, rest, allowed.most ?? 0)
  if (allowed.missing !== undefined && rest.length === 0) throw new UsageError(allowed.missing)
  if (actions) {
    const known = new Set(['data', ...(allowed.options ?? [])])
    const unexpected = tokens.find(token => token.kind === 'option' && !known.has(token.name))
    if (unexpected?.kind === 'option')
      throw new UsageError(`${action || 'This'} does not take --${unexpected.name}.`)
  }
  return { action: action as Name, args: rest, values }
}

/** Whether `--help` or `-h` precedes a `--`. */
export function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--')
  return (end < 0 ? args : args.slice(0, end)).some(arg => arg === '--help' || arg === '-h')
}

function parsed<const Options extends ParseArgsOptionsConfig>(args: readonly string[], options: Options) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, tokens: true })
  } catch (error) {
    if (!(error instanceof Error)) throw error
    // Node's message contains advice about positional arguments, which rarely applies.
    throw new UsageError(error.message.replace(/\. To specify a positional argument .*/s, '.'), {
      cause: error,
    })
  }
}

function actionNamed(actions: Readonly<Record<string, Action>>, name: string): Action {
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined
  if (action) return action
  throw new UsageError(name === '' ? 'A command is missing.' : `There is no command "${name}".`)
}

function refuseSurplus(action: string, args: readonly string[], most: number): void {
  if (args.length <= most) return
  throw new UsageError(`Unexpected argument "${args[most]}"${action && ` after ${action}`}.`)
}

/** Prints one JSON document on standard output. */
export const printJson = (document: unknown): void => console.log(JSON.stringify(document, null, 2))

/** Prints a JSON array that may exceed the memory, one item per line. */
export async function printJsonArray(items: AsyncIterable<unknown>): Promise<void> {
  let separator = '['
  for await (const item of items) {
    process.stdout.write(`${separator}\n${JSON.stringify(item)}`)
    separator = ','
  }
  process.stdout.write(separator === '[' ? '[]\n' : '\n]\n')
}

/** Exits with 0 when the reader of standard output, for example `head`, closes the pipe early. */
function exitOnClosedPipe(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    process.exit(0)
  })
}

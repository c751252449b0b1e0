/** Shared basis of all commands: a commander program, actions with exit codes, and JSON output. */
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { styleText } from 'node:util'
import { Command, CommanderError, type Option } from 'commander'
import { isDiskFull } from '../../core/files/disk-space.ts'
import { isMainScript } from './paths.ts'

/** Options that every command takes. */
export interface GlobalOptions {
  /** The data folder, of --data or MIEN_DATA, as it was typed. */
  data?: string
}

/** Options of a command that prints a table, or JSON. */
export interface JsonOptions extends GlobalOptions {
  json?: boolean
}

/** Exit code of an unknown or missing command, option or argument. A failure has 1, success 0. */
const USAGE_ERROR = 2

/** Start of the messages that commander writes. Ours are whole sentences. */
const COMMANDER = 'error: '

/** A program without commands. Help fits 80 columns without a terminal, and is printed after a usage error. */
export function programNamed(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .helpOption('-h, --help', 'print this help')
    .showHelpAfterError()
    .configureHelp({
      showGlobalOptions: true,
      // The longest parameter of the API leaves this many columns to its description.
      minWidthToWrap: 38,
      visibleGlobalOptions: globalOptions,
      // commander removes the style where the stream is no terminal, or NO_COLOR is set.
      styleTitle: title => styleText('bold', title, { validateStream: false }),
    })
    .configureOutput({
      outputError: (text, write) => write(text.startsWith(COMMANDER) ? sentence(text) : text),
    })
    .exitOverride()
}

/** Options of the program that every command takes. */
function globalOptions(command: Command): Option[] {
  let root = command
  while (root.parent) root = root.parent
  return root === command ? [] : root.options.filter(({ long }) => long !== '--version')
}

/** commander's message as a sentence: "error: unknown option '-x'" -> "Unknown option '-x'." */
function sentence(text: string) {
  const [first = '', ...rest] = text.slice(COMMANDER.length).trimEnd().split('\n')
  const ended = /[.)?]$/.test(first) ? first : `${first}.`
  return `${[ended.charAt(0).toUpperCase() + ended.slice(1), ...rest].join('\n')}\n`
}

/** Text of the examples at the end of a command's help. */
export const examples = (...lines: readonly string[]): string =>
  `\n${lines.length === 1 ? 'Example' : 'Examples'}:\n${lines.map(line => `  ${line}`).join('\n')}`

/** A command below `parent` with examples at the end of its help. */
export const verb = (parent: Command, name: string, ...lines: readonly string[]): Command =>
  parent.command(name).addHelpText('after', examples(...lines))

/**
 * Runs a program and sets the exit code: the result of the action; 2 for a usage error; 1, with the message, for any
 * other error. Help and version exit with 0.
 */
export async function runProgram(program: Command, args: readonly string[]): Promise<void> {
  exitWithoutOutput()
  try {
    await program.parseAsync(args, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) console.error(messageOf(error))
    process.exitCode = exitCodeOf(error)
  }
}

/** An error of the system. `dest`: where something was to be moved or copied. */
type SystemError = Partial<NodeJS.ErrnoException & { dest: string }>

/** The message of an error. A message of the system names a call and a code: this one names the missing thing instead. */
function messageOf(error: unknown) {
  const { code, path, dest, message = String(error) } = error as SystemError
  // Messages that name the disk stay.
  if (isDiskFull(error) && !message.startsWith('The disk of'))
    return 'The disk is full. Free space, and run the command again.'
  if (path === undefined) return message
  const missing = [dirname(path), path, dirname(dest ?? path)].find(one => !existsSync(one))
  if (code === 'ENOENT' && missing !== undefined) return `There is no ${missing}.`
  const isRefused = code === 'EACCES' || code === 'EPERM'
  return isRefused && dest === undefined ? `This user may not use ${path}.` : message
}

/** Runs a script of npm without options, if this process was started with its module. */
export async function runScript(
  script: ImportMeta,
  [name, description]: readonly [name: string, description: string],
  work: () => Promise<number>,
): Promise<void> {
  if (!isMainScript(script)) return
  await runProgram(programNamed(name, description).action(action(work)), process.argv.slice(2))
}

function exitCodeOf(error: unknown): number {
  if (!(error instanceof CommanderError)) return 1
  return error.exitCode === 0 ? 0 : USAGE_ERROR
}

/** Runs a command with its options and arguments. Returns the exit code. Throws UsageError, and Errors for the operator. */
type Work<Options, Args extends unknown[]> = (options: Options, ...args: Args) => Promise<number>

/** The action of a command. Its definition determines the types of the options and arguments. */
export const action = <Options, Args extends unknown[]>(work: Work<Options, Args>) =>
  async function (this: Command): Promise<void> {
    try {
      process.exitCode = await work(this.optsWithGlobals() as Options, ...(this.processedArgs as Args))
    } catch (error) {
      if (error instanceof UsageError) this.error(error.message)
      throw error
    }
  }

/** Adds a command that was removed, and that scripts may still call. It refuses with the message for its words. */
export function addRemoved(parent: Command, name: string, messageOf: (words: string[]) => string): void {
  parent
    .command(name, { hidden: true })
    .argument('[WORDS...]')
    .allowUnknownOption()
    .helpOption(false)
    .showHelpAfterError(false)
    .action(
      action(async (_, words: string[]) => {
        throw new UsageError(messageOf(words))
      }),
    )
}

/** Names of the functions of a module that commands run. */
type WorkNames<Module> = {
  [Name in keyof Module]: Module[Name] extends Work<never, never[]> ? Name : never
}[keyof Module] &
  string

/** An action that imports its module when it runs, and calls this function of the module. */
export const lazyAction = <Module>(load: () => Promise<Module>, name: WorkNames<Module>) =>
  action<never, never[]>(async (...given) => ((await load())[name] as Work<never, never[]>)(...given))

/** Returns `verb` for commands that run the functions of a module. Each function has the name of its command. */
export const verbsOf =
  <Module>(parent: Command, load: () => Promise<Module>) =>
  (name: WorkNames<Module>, ...lines: readonly string[]): Command =>
    verb(parent, name, ...lines).action(lazyAction(load, name))

/** The value of a JSON text; undefined for another text. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
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

/**
 * Exits with 0 when the reader of standard output, for example `head`, closes the pipe early. Exits with 1 when the disk of a file
 * is full. Unread messages are no failure.
 */
function exitWithoutOutput() {
  process.stderr.on('error', () => {})
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0)
    console.error(messageOf(error))
    process.exit(1)
  })
}

/** Aborts at the first SIGINT or SIGTERM, after `onStop`. A second one, of either kind, ends the process at once. */
export function stopOnSignal(onStop = () => {}): AbortController {
  const controller = new AbortController()
  const stop = () => {
    for (const signal of STOP_SIGNALS) process.off(signal, stop)
    onStop()
    controller.abort(new Error('stopped'))
  }
  for (const signal of STOP_SIGNALS) process.on(signal, stop)
  return controller
}

const STOP_SIGNALS = ['SIGINT', 'SIGTERM'] as const

/** An invalid option or argument. Commands print the message with their usage. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

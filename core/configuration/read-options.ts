/** Reads the operator's options from facenapi.ini and from the environment, which takes precedence. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { nearestName } from '../../contract/nearest-name.ts'
import { ConfigurationError } from './environment.ts'
import { type Options, OptionsSchema } from './options.ts'
import { NotALiteral, type PythonValue, readAssignments, readLiteral } from './python-literals.ts'

/** File name in the data folder, used when no other file is named. */
const OPTIONS_FILE = 'facenapi.ini'

/** Prefix of an option's environment variable; the option's name follows in capitals. */
const PREFIX = 'MIEN_'

/** A value and its origin for messages: `file:line:column: option`, or the variable's name. */
interface Setting {
  name: string
  value: PythonValue
  where: string
}

export interface OptionSources {
  data: string
  /** Absolute path of another file, which must exist. */
  optionsFile: string | undefined
}

export interface ReadOptions {
  options: Options
  /** Warnings for the operator that do not prevent the start. */
  warnings: string[]
}

/** Reads and validates the options. Throws ConfigurationError with one line per error. */
export async function readOptions(
  { data, optionsFile }: OptionSources,
  environment: Record<string, string | undefined>,
): Promise<ReadOptions> {
  const path = optionsFile ?? join(data, OPTIONS_FILE)
  const text = await readFile(path, 'utf8').catch(cause => {
    if (cause.code === 'ENOENT' && optionsFile === undefined) return ''
    throw new ConfigurationError(`${path} can't be read (${cause.code}).`, { cause })
  })
  const assigned = settingsOfFile(path, text)
  const [known, unknown] = [assigned.filter(isKnown), assigned.filter(setting => !isKnown(setting))]
  return {
    options: checked([...known, ...settingsOf(environment)]),
    warnings: unknown.map(
      ({ name, where }) =>
        `${where} is not an option of this service. The nearest is ${nearestName(name, NAMES)}.`,
    ),
  }
}

const NAMES = Object.keys(OptionsSchema.shape) as (keyof Options)[]

const isKnown = ({ name }: Setting): boolean => Object.hasOwn(OptionsSchema.shape, name)

function settingsOfFile(path: string, text: string): Setting[] {
  try {
    return readAssignments(text.replace(/^\uFEFF/, '')).map(({ name, value, line, column }) => ({
      name,
      value,
      where: `${path}:${line}:${column}: ${name}`,
    }))
  } catch (error) {
    if (!(error instanceof NotALiteral)) throw error
    const { line, column } = error.place
    throw new ConfigurationError(`${path}:${line}:${column}: ${error.message}`, { cause: error })
  }
}

function settingsOf(environment: Record<string, string | undefined>): Setting[] {
  return NAMES.flatMap(name => {
    const where = PREFIX + name.toUpperCase()
    const text = environment[where]?.trim()
    return text ? [{ name, value: valueOfVariable(text), where }] : []
  })
}

/** Parses a Python literal, or true or false in any case; other text is taken literally. */
function valueOfVariable(text: string): PythonValue {
  if (/^(true|false)$/i.test(text)) return text.toLowerCase() === 'true'
  try {
    return readLiteral(text)
  } catch (error) {
    if (error instanceof NotALiteral) return text
    throw error
  }
}

/** The last setting of an option takes effect, but all settings must be valid. */
function checked(settings: readonly Setting[]): Options {
  const values: Record<string, PythonValue> = {}
  const complaints: string[] = []
  for (const { name, value, where } of settings) {
    const parsed = OptionsSchema.shape[name as keyof Options].safeParse(value)
    if (parsed.success) values[name] = value
    else complaints.push(`${where} ${parsed.error.issues[0]?.message}.`)
  }
  if (complaints.length > 0) throw new ConfigurationError(complaints.join('\n'))
  return OptionsSchema.parse(values)
}

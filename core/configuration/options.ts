/** Reads the options of the API: from facenapi.ini, and from the environment, which takes precedence. */

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { STORE_LIMITS } from '../../contract/limits/store.ts'
import type { Origin } from '../../contract/model/service-state.ts'
import { nearestName } from '../../contract/nearest-name.ts'
import { CALIBRATION_NAMES } from '../../models/calibrations.ts'
import { isWebUrl } from '../network/target.ts'
import { ConfigurationError } from './environment.ts'
import { NotALiteral, type PythonValue, readAssignments, readLiteral } from './python-literals.ts'

/** True or False; 1 and 0 are equivalent, as in Python. */
const flag = z
  .union([z.boolean(), z.literal(0), z.literal(1)], 'must be True or False')
  .transform(value => value === true || value === 1)

const wholeNumber = (least: number, most = Number.MAX_SAFE_INTEGER) => {
  const complaint = `must be a whole number from ${least} ${most < Number.MAX_SAFE_INTEGER ? `to ${most}` : 'on'}`
  return z.int(complaint).min(least, complaint).max(most, complaint)
}

const CONFIDENCE = 'must be a number from 0 to 1'
const confidence = z.number(CONFIDENCE).min(0, CONFIDENCE).max(1, CONFIDENCE)

const ADDRESS = "must be an http or https address, or ''"

/** The only supported model; '' selects it as well. */
const model = (name: string) => z.enum([name, ''], `must be '${name}' or ''`)

const OptionsSchema = z.strictObject({
  /** Each new face gets a person: the person of the most similar stored face, or a new one. */
  person_identify: flag.default(false),
  /** Compares with all faces of the owner; otherwise only with faces of the same camera. */
  person_identify_global: flag.default(false),
  /** Least confidence at which a new face joins a person, 0..1. None: the false alarms of the persons decide. */
  person_identify_threshold: z
    .preprocess(value => (value === 'off' ? null : value), confidence.nullable())
    .default(null),
  /** A person is a friend of a camera that saw them on at least this many distinct UTC days ... */
  friend_count: wholeNumber(1).default(5),
  /** ... within this many seconds. */
  friend_interval: wholeNumber(1).default(604_800),
  /** The pack's table that maps scores to confidences; see docs/accuracy.md. */
  calibration: z
    .enum(CALIBRATION_NAMES, `must be ${CALIBRATION_NAMES.map(name => `'${name}'`).join(' or ')}`)
    .default('default'),
  /** Enables requests for gender, age and emotions. */
  gae: flag.default(false),
  /** The models for these attributes, by their contract names. */
  model_emotions: model('emotion_1').default(''),
  model_age: model('fr_1_age0').default(''),
  model_gender: model('fr_1_gender0').default(''),
  /** Identify returns results of the available shards when others fail, unless `strict` is set. */
  tntapi_ignore_search_errors: flag.default(true),
  /** The audit log records who searches and looks. A new installation has the setting from its first token on. */
  record_searches: flag.default(false),
  /** Address of the latest release at GitHub, Gitea or Forgejo, which core then asks. '': no request is sent. */
  update_url: z
    .string(ADDRESS)
    .refine(url => url === '' || isWebUrl(url), ADDRESS)
    .default(''),
  /** Hours between two backups at the place that the start of the service names; 0: only on request. */
  backup_hours: wholeNumber(0, STORE_LIMITS.backupHours).default(24),
  /** A watcher of cameras runs beside the service, if `mien start` can start it. */
  watch_cameras: flag.default(false),
})

export type Options = z.output<typeof OptionsSchema>

export const DEFAULT_OPTIONS: Options = OptionsSchema.parse({})

/** File name in the data folder, used when no other file is named. */
const OPTIONS_FILE = 'facenapi.ini'

/** Prefix of an option's environment variable; the option's name follows in capitals. */
const PREFIX = 'MIEN_'

/** A value and its origin for messages: `file:line:column: option`, or the variable's name. */
interface Setting {
  name: string
  origin: Origin
  value: PythonValue
  where: string
}

interface OptionSources {
  data: string
  /** Absolute path of another file, which must exist. */
  optionsFile: string | undefined
}

export interface ReadOptions {
  options: Options
  /** Where the options that are set have their values from. */
  origins: Partial<Record<keyof Options, Origin>>
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
  const settings = [...known, ...settingsOf(environment)]
  return {
    options: checkOptions(settings),
    origins: Object.fromEntries(settings.map(({ name, origin }) => [name, origin])),
    warnings: unknown.map(
      ({ name, where }) =>
        `${where} is not an option of this service. The nearest is ${nearestName(name, NAMES)}.`,
    ),
  }
}

const NAMES = Object.keys(OptionsSchema.shape) as (keyof Options)[]

const isKnown = ({ name }: Setting) => Object.hasOwn(OptionsSchema.shape, name)

function settingsOfFile(path: string, text: string): Setting[] {
  try {
    return readAssignments(text.replace(/^\uFEFF/, '')).map(({ name, value, line, column }) => ({
      name,
      origin: 'file',
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
    return text ? [{ name, origin: 'environment', value: valueOfVariable(text), where }] : []
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
function checkOptions(settings: readonly Setting[]): Options {
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

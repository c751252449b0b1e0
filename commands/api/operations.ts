/** Declares `mien api NAME` for each operation of the API, from its declaration in the contract. */
import { type Command, Option } from 'commander'
import { isFileType } from '../../clients/typescript/src/send.ts'
import type { Declaration } from '../../contract/operations/operation.ts'
import { OPERATIONS, type Operation } from '../../contract/operations/table.ts'
import { type OpenapiOverride, overriddenParameters } from '../../contract/parameters/json-schema.ts'
import { action, examples } from '../terminal/command-line.ts'
import type { CallOptions } from './call.ts'

/** Operations with one answer. `mien events` follows the stream of events. */
const CALLABLE = OPERATIONS.filter(({ answerType }) => answerType === undefined || isFileType(answerType))

/** Adds a command for each operation. Only commands that `words` name get options, because options take long to derive. */
export function addOperations(api: Command, words: readonly string[]): void {
  for (const operation of CALLABLE) {
    const command = api
      .commandsGroup(`${operation.topic}:`)
      .command(operation.name)
      .summary(operation.summary)
      .description([`${operation.summary}.`, operation.details].join(' ').trim())
    if (words.includes(operation.name)) addParameters(command, operation)
  }
}

function addParameters(command: Command, operation: Operation) {
  const { properties, required } = overriddenParameters(operation.parameters)
  const parameters = Object.entries(properties)
  command.optionsGroup('Parameters:')
  for (const [name, schema] of parameters)
    command.addOption(parameterOption(name, schema, required.includes(name)))
  command.optionsGroup('Options:')
  if (hasPages(operation)) command.option('--all-pages', 'print the results of all pages, as one JSON array')
  if (operation.requestHeaders?.['Idempotency-Key'] !== undefined)
    command.option(
      '--idempotency-key <TEXT>',
      'repeat an earlier call with the same text (default: a new one)',
    )
  command
    .option('--token-file <FILE>', 'file with the token (default: MIEN_TOKEN, or the token of --data)')
    .addHelpText('after', examples(exampleOf(operation.name, parameters, required)))
    .action(
      action(async (options: CallOptions) =>
        (await import('./call.ts')).callOperation(operation, properties, options),
      ),
    )
}

const hasPages = ({ method, answer }: Declaration) =>
  method === 'get' && answer !== undefined && 'shape' in answer && 'next_page' in (answer.shape as object)

function parameterOption(name: string, schema: OpenapiOverride, isRequired: boolean): Option {
  const value = valueName(schema)
  // A truth value without a value is true.
  const [open, close] = schema.type === 'boolean' ? '[]' : '<>'
  const more = isListOfWords(schema) ? '...' : ''
  const flags = `--${name} ${open}${value}${more}${close}`
  return new Option(flags, descriptionOf(schema, isRequired)).makeOptionMandatory(isRequired)
}

/** A list of texts or numbers: each is a word of the command line. Other lists are JSON. */
const isListOfWords = ({ type, items }: OpenapiOverride) =>
  type === 'array' && !['array', 'object'].includes((items as OpenapiOverride).type as string)

/** The name of a value in the help. */
function valueName(schema: OpenapiOverride): string {
  const { upload, type, anyOf, items } = schema
  if (upload) return '@FILE'
  if (isListOfWords(schema)) return valueName(items as OpenapiOverride)
  if (Array.isArray(type)) return type.map(one => valueName({ type: one })).join('/')
  if (Array.isArray(anyOf))
    return anyOf
      .filter(one => one.type !== 'null')
      .map(valueName)
      .join('/')
  const names: Record<string, string> = { string: 'TEXT', number: 'N', integer: 'N', boolean: 'true/false' }
  return names[String(type)] ?? 'JSON'
}

function descriptionOf(schema: OpenapiOverride, isRequired: boolean) {
  const { description, default: initial } = schema
  const sentences = [isRequired ? 'required' : '', description, boundsOf(schema)].filter(Boolean).map(String)
  const text = sentences.map(sentenceOf).join(' ') || 'Optional.'
  return initial === undefined ? text : `${text} (default: ${JSON.stringify(initial)})`
}

const sentenceOf = (text: string) => text.charAt(0).toUpperCase() + text.slice(1).replace(/\.?$/, '.')

/** Words, a range or a length that bounds the value, as far as the schema has one. */
function boundsOf({ enum: words, anyOf, minimum, maximum, maxLength }: OpenapiOverride): string | undefined {
  if (Array.isArray(words)) return `one of ${words.join(', ')}`
  if (Array.isArray(anyOf)) return anyOf.map(boundsOf).filter(Boolean).join(', or ')
  if (maximum !== undefined) return `${minimum} to ${maximum}`
  if (minimum !== undefined) return `at least ${minimum}`
  return maxLength === undefined ? undefined : `at most ${maxLength} characters`
}

/** A call with the required parameters. */
function exampleOf(
  name: string,
  parameters: readonly [string, OpenapiOverride][],
  required: readonly string[],
) {
  const given = parameters.filter(([parameter]) => required.includes(parameter))
  const words = given.map(([parameter, { upload }]) => `--${parameter} ${upload ? '@photo.jpg' : 'VALUE'}`)
  return ['mien api', name, ...words].join(' ')
}

/** Sends the request of an operation, and prints its answer. */
import { randomUUID } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import { type Fields, segment } from '../../clients/typescript/src/fields.ts'
import { type Page, Pages } from '../../clients/typescript/src/pages.ts'
import { isChanging } from '../../contract/operations/operation.ts'
import type { Operation } from '../../contract/operations/table.ts'
import type { OpenapiOverride } from '../../contract/parameters/json-schema.ts'
import { maskedUrl } from '../../contract/url-credentials.ts'
import { isUrl, photoOf, textIn } from '../terminal/bounded-file.ts'
import {
  type GlobalOptions,
  jsonIn,
  printJson,
  printJsonArray,
  UsageError,
} from '../terminal/command-line.ts'
import { connect } from '../terminal/connection.ts'

export interface CallOptions extends GlobalOptions {
  tokenFile?: string
  allPages?: boolean
  idempotencyKey?: string
  /** Values of parameters, as they were typed. */
  [parameter: string]: unknown
}

/** Prints the answer of the API: JSON, the bytes of a picture, or nothing. Returns 0. Throws UsageError and MienError. */
export async function callOperation(
  operation: Operation,
  parameters: Readonly<Record<string, OpenapiOverride>>,
  options: CallOptions,
): Promise<number> {
  const { data, tokenFile, allPages, idempotencyKey } = options
  if (allPages && options.min_id !== undefined && 'max_id' in parameters)
    throw new UsageError('--all-pages goes to lower ids: leave out --min_id.')
  if (operation.answerType !== undefined && process.stdout.isTTY)
    throw new UsageError('The answer is a file, and standard output a terminal. Add > FILE.')
  const values: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(parameters))
    if (options[name] !== undefined) values[name] = await requestValue(name, options[name], schema)
  const isFile = operation.answerType === 'application/zip'
  const { send } = await connect({
    tokenFile,
    data,
    ...(isFile && { timeoutMs: FILE_MS }),
  })
  const { path, rest } = filledPath(operation.path, values)
  const method = operation.method.toUpperCase() as Uppercase<Operation['method']>
  if (allPages) {
    const fetchPage = (query: Fields) => send<Page<unknown>>({ method, path, query })
    await printJsonArray(new Pages(fetchPage, rest))
    return 0
  }
  const hasBody = method === 'POST' || method === 'PUT'
  const isNamed = operation.requestHeaders?.['Idempotency-Key'] !== undefined
  const answer = await send({
    method,
    path,
    ...(hasBody ? bodyOf(rest) : { query: rest }),
    ...(isNamed && { idempotencyKey: idempotencyKey ?? randomUUID() }),
    repeatable: isNamed || method !== 'POST' || !isChanging(operation),
  })
  if (answer instanceof Blob) await pipeline(answer.stream(), process.stdout, { end: false })
  else if (answer !== undefined) printJson(withoutCredentials(operation, answer))
  return 0
}

/** Longest time of a request whose answer is a file of any size, in milliseconds. */
const FILE_MS = 12 * 3_600_000

/** Parameters whose values may have credentials. */
const URL_PARAMETERS = ['url', 'endpoint']

/**
 * A typed value: the content of a file behind `@`, several words as a JSON list, JSON for a parameter of any type, or the text
 * itself. `@@` stands for `@`.
 */
async function requestValue(name: string, typed: unknown, schema: OpenapiOverride): Promise<unknown> {
  const { upload, type, anyOf } = schema
  const words = [typed].flat().map(String)
  const [word] = words as [string]
  if (words.length > 1) return JSON.stringify(words)
  if (word.startsWith('@@')) return word.slice(1)
  if (word.startsWith('@'))
    return upload ? photoOf(word.slice(1)) : (await textIn(`--${name}`, word.slice(1))).trim()
  if (upload) {
    if (isUrl(word)) return word
    throw new UsageError(`--${name} takes @FILE or the URL of a photo, not "${word}".`)
  }
  if (type === undefined && anyOf === undefined) return jsonOf(name, word)
  if (URL_PARAMETERS.includes(name) && maskedUrl(word) !== word)
    throw new UsageError(
      `--${name}: other users can read the command line, and the URL has credentials. Write the URL into a file, and name it with ` +
        `--${name} @FILE, or with @- for standard input.`,
    )
  return word
}

/** Any JSON value. Throws UsageError for another text. */
function jsonOf(name: string, text: string): unknown {
  const value = jsonIn(text)
  if (value === undefined) throw new UsageError(`--${name} takes JSON, not "${text}".`)
  return value
}

/** The path with the values of its parameters, and the other values. */
function filledPath(template: string, values: Readonly<Record<string, unknown>>) {
  const rest = { ...values }
  const path = template.replaceAll(/:(\w+)/g, (_, name: string) => {
    delete rest[name]
    return segment(String(values[name]))
  })
  return { path, rest }
}

/** Texts as JSON, beside files as a form. */
function bodyOf(values: Readonly<Record<string, unknown>>) {
  const entries = Object.entries(values)
  const photos = entries.filter((entry): entry is [string, File] => entry[1] instanceof File)
  const others = entries.filter(([, value]) => !(value instanceof File))
  return {
    photos: Object.fromEntries(photos),
    ...(others.length > 0 && { body: Object.fromEntries(others) }),
  }
}

/** Cameras without the passwords in their URLs: a terminal keeps its output. */
const withoutCredentials = ({ topic }: Operation, answer: unknown): unknown =>
  topic === 'Cameras'
    ? JSON.parse(JSON.stringify(answer), (key, value) => (key === 'url' ? maskedUrl(value) : value))
    : answer

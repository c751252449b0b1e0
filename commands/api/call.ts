/** Sends the request of an operation, and prints its answer. */
import { randomUUID } from 'node:crypto'
import { type Fields, segment } from '../../clients/typescript/src/fields.ts'
import { type Page, Pages } from '../../clients/typescript/src/pages.ts'
import type { Operation } from '../../contract/operations/table.ts'
import type { OpenapiOverride } from '../../contract/parameters/json-schema.ts'
import { maskedUrl } from '../../contract/url-credentials.ts'
import { isUrl, photoOf, textIn } from '../terminal/bounded-file.ts'
import { type GlobalOptions, printJson, printJsonArray, UsageError } from '../terminal/command-line.ts'
import { connect } from '../terminal/connection.ts'
import { dataFolder } from '../terminal/paths.ts'

export interface CallOptions extends GlobalOptions {
  tokenFile?: string
  allPages?: boolean
  /** Values of parameters, as they were typed. */
  [parameter: string]: unknown
}

/** A value of a request. */
type Value = string | File

/** Prints the answer of the API: JSON, the bytes of a picture, or nothing. Returns 0. Throws UsageError and MienError. */
export async function callOperation(
  operation: Operation,
  parameters: Readonly<Record<string, OpenapiOverride>>,
  options: CallOptions,
): Promise<number> {
  const { data, tokenFile, allPages } = options
  const values: Record<string, Value> = {}
  for (const [name, { upload = false }] of Object.entries(parameters))
    if (options[name] !== undefined) values[name] = await requestValue(name, options[name], upload)
  const { send } = await connect({ tokenFile, data: dataFolder(data) })
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
    ...(isNamed && { idempotencyKey: randomUUID() }),
    repeatable: isNamed || method !== 'POST' || operation.permission === 'read',
  })
  if (answer instanceof Blob) process.stdout.write(new Uint8Array(await answer.arrayBuffer()))
  else if (answer !== undefined) printJson(withoutCredentials(operation, answer))
  return 0
}

/** A typed value: the content of a file behind `@`, several words as a JSON list, or the text itself, where `@@` stands for `@`. */
async function requestValue(name: string, typed: unknown, isUpload: boolean): Promise<Value> {
  const words = [typed].flat().map(String)
  const [word] = words as [string]
  if (words.length > 1) return JSON.stringify(words)
  if (word.startsWith('@@')) return word.slice(1)
  if (word.startsWith('@'))
    return isUpload ? photoOf(word.slice(1)) : (await textIn(`--${name}`, word.slice(1))).trim()
  if (isUpload) {
    if (isUrl(word)) return word
    throw new UsageError(`--${name} takes @FILE or the URL of a photo, not "${word}".`)
  }
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(word) && maskedUrl(word) !== word)
    throw new UsageError(
      `--${name}: other users can read the command line, and the URL has credentials. Write the URL into a file, and name it with ` +
        `--${name} @FILE, or with @- for standard input.`,
    )
  return word
}

/** The path with the values of its parameters, and the other values. */
function filledPath(template: string, values: Readonly<Record<string, Value>>) {
  const rest = { ...values }
  const path = template.replaceAll(/:(\w+)/g, (_, name: string) => {
    delete rest[name]
    return segment(String(values[name]))
  })
  return { path, rest }
}

/** Texts as JSON, beside files as a form. */
function bodyOf(values: Readonly<Record<string, Value>>) {
  const entries = Object.entries(values)
  const photos = entries.filter((entry): entry is [string, File] => entry[1] instanceof File)
  const texts = entries.filter(([, value]) => typeof value === 'string')
  return { photos: Object.fromEntries(photos), ...(texts.length > 0 && { body: Object.fromEntries(texts) }) }
}

/** Cameras without the passwords in their URLs: a terminal keeps what it shows. */
const withoutCredentials = ({ topic }: Operation, answer: unknown): unknown =>
  topic === 'Cameras'
    ? JSON.parse(JSON.stringify(answer), (key, value) => (key === 'url' ? maskedUrl(value) : value))
    : answer

/** Requests as code to copy: curl, TypeScript and Python. The token is a variable. */

export const LANGUAGES = ['curl', 'typescript', 'python'] as const
export type Language = (typeof LANGUAGES)[number]

export interface ApiCall {
  operation: 'detect' | 'identify' | 'verify'
  /** Names of the photo files. */
  photos: readonly string[]
  parameters: Readonly<Record<string, string | number | boolean>>
}

/** The code of a call to the service at this URL. */
export const codeOf: Record<Language, (call: ApiCall, url: string) => string> = {
  curl: ({ operation, photos, parameters }, url) => {
    const fields = photos.map((name, i) => shellQuoted(`${partOf(photos, i)}=@${curlFile(name)}`))
    for (const [name, value] of Object.entries(parameters)) fields.push(shellQuoted(`${name}=${value}`))
    const lines = ['curl -H "Authorization: Token $MIEN_TOKEN"', ...fields.map(field => `-F ${field}`)]
    return `${[...lines, shellQuoted(`${url}/v1/${operation}`)].join(' \\\n  ')}\n`
  },
  typescript: ({ operation, photos, parameters }, url) => {
    const values = [...photos.map(literal), `{ ${entries(parameters, ': ')} }`]
    return [
      "import { MienClient } from '@mien/client'",
      '',
      `const mien = new MienClient({ url: ${literal(url)}, token: process.env.MIEN_TOKEN! })`,
      `console.log(await mien.${operation}(${values.join(', ')}))`,
      '',
    ].join('\n')
  },
  python: ({ operation, photos, parameters }, url) => {
    const values = [...photos.map(literal), entries(parameters, '=', pythonValue)]
    return [
      'import os',
      'import mien',
      '',
      `client = mien.Client(${literal(url)}, os.environ["MIEN_TOKEN"])`,
      `print(client.${operation}(${values.join(', ')}))`,
      '',
    ].join('\n')
  },
}

/** Field of a photo: `photo`, or `photo1` and `photo2`. */
const partOf = (photos: readonly string[], i: number) => (photos.length === 1 ? 'photo' : `photo${i + 1}`)

/** curl takes `,` and `;` of an unquoted name as the end of the name. */
const curlFile = (name: string) => `"${name.replaceAll(/["\\]/g, '\\$&')}"`

export const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** A literal of JavaScript and of Python. */
const literal = (value: unknown) => JSON.stringify(value)

const pythonValue = (value: unknown) =>
  typeof value === 'boolean' ? (value ? 'True' : 'False') : literal(value)

const entries = (parameters: ApiCall['parameters'], between: string, text = literal) =>
  Object.entries(parameters)
    .map(([name, value]) => `${name}${between}${text(value)}`)
    .join(', ')

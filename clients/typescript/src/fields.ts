/** Parameters as fields of a form or a query, and as segments of a path. */

/** Parameters by their names in the API. Undefined ones are left out. */
export type Fields = Readonly<Record<string, unknown>>

/** Text of a value: scalars as they are, structures and null as JSON. */
const textOf = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))

const given = (fields: Fields): [string, unknown][] =>
  Object.entries(fields).filter(([, value]) => value !== undefined)

/** A JSON field of a form keeps the type of its value: a text stays a text. */
const JSON_FIELDS = ['detectorParams']

/** Appends parameters to a form. */
export function appendFields(form: FormData, fields: Fields): void {
  for (const [name, value] of given(fields))
    form.append(name, JSON_FIELDS.includes(name) ? JSON.stringify(value) : textOf(value))
}

/** A query string with its question mark; empty without parameters. */
export function queryOf(fields: Fields): string {
  const query = new URLSearchParams(given(fields).map(([name, value]) => [name, textOf(value)]))
  return query.size === 0 ? '' : `?${query}`
}

/** A name as a segment of a path. Throws TypeError for a name that would address another path. */
export function segment(name: string): string {
  if (['', '.', '..'].includes(name)) throw new TypeError('Expected a name or an id, got "", "." or "..".')
  return encodeURIComponent(name)
}

/** Types of the Python client as TypedDicts, from the OpenAPI document of v1. */
import {
  ANSWER_SCHEMAS,
  answerOf,
  answerTypes,
  parameterTypes,
  SCHEMAS,
  type Schema,
} from './client-methods.ts'

type Types = Readonly<Record<string, Schema>>

/** Names of the schemas that the document defines in place, by their property. Other objects are any dictionaries. */
const NAMES: Readonly<Record<string, string>> = {
  alert: 'NamedAlert',
  backup: 'BackupTimes',
  faces: 'DetectedFace',
  galleries: 'GalleryChanges',
  bbox: 'Region',
  bbox1: 'Region',
  bbox2: 'Region',
  hours: 'Hours',
  options: 'CameraOptions',
  results: 'Pair',
  shards: 'Shards',
  threshold: 'Threshold',
}

/** Another spelling of `bbox`. */
const BOX_FIELDS = ['x1', 'y1', 'x2', 'y2']

/** Names of scalar types. */
export const SCALARS: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
}

/** Keys that no attribute of a class can have. */
const KEYWORDS = ['from', 'del']

/** The modules `answers` and `parameters` of the client, by their paths. */
export function pythonTypes(): Record<string, string> {
  const live = (field: string, $ref: string): Schema => ({
    properties: {
      id: { type: 'string', description: 'As `last_event_id` it resumes after this one.' },
      [field]: { $ref },
    },
    required: ['id', field],
  })
  const parameters = parameterTypes().map(({ type, schema }): [string, Schema] => [type, keywordsOf(schema)])
  const answers = answerTypes().map(([type, operation]): [string, Schema] => [
    type,
    answerOf(operation).schema!,
  ])
  const all = {
    ...Object.fromEntries(answers),
    LiveEvent: live('face', '#/Face'),
    LiveAlert: live('alert', '#/AlertData'),
    ...Object.fromEntries(ANSWER_SCHEMAS),
  }
  return {
    'clients/python/mien/answers.py': moduleOf('answers', all, 'List'),
    'clients/python/mien/parameters.py': moduleOf('parameters', Object.fromEntries(parameters), 'Sequence'),
  }
}

/** Fields as keyword arguments. */
const keywordsOf = ({ properties = {}, required = [] }: Schema): Schema => ({
  properties: Object.fromEntries(
    Object.entries(properties)
      .filter(([name]) => !BOX_FIELDS.includes(name))
      .map(([name, schema]) => [name === 'pageSize' ? 'page_size' : name, schema]),
  ),
  required,
})

/** A module with these types. A type with required and optional keys is a class that extends another. */
function moduleOf(what: string, types: Types, list: 'List' | 'Sequence'): string {
  const written = new Map<string, string>()
  const typeOf = (property: string, { $ref, ...schema }: Schema): string => {
    const { type, anyOf, additionalProperties: entry } = schema
    const items = schema.prefixItems?.[0] ?? schema.items
    if ($ref !== undefined) return referred($ref.split('/').at(-1)!)
    if (items) return `${list}[${typeOf(property, items)}]`
    if (typeof entry === 'object') return `Dict[str, ${entry.anyOf ? 'Any' : typeOf('', entry)}]`
    if (type === 'object') return nameOf(property, schema) ?? 'Dict[str, Any]'
    if (anyOf) return nameOf(property, schema) ?? unionOf(anyOf.map(one => typeOf('', one)))
    // Ids that may be texts are whole numbers.
    if (Array.isArray(type)) return unionOf(type.map(one => SCALARS[one === 'number' ? 'integer' : one]))
    return SCALARS[type as string] ?? 'Any'
  }
  const referred = (name: string) => (SCHEMAS[name]!.properties ? name : typeOf('', SCHEMAS[name]!))
  /** Defines the type of the property if it has a name. */
  const nameOf = (property: string, schema: Schema): string | undefined => {
    const name = NAMES[property]
    if (name === undefined) return undefined
    if (schema.anyOf) written.set(name, `${name} = ${typeOf('', schema)}`)
    else write(name, schema)
    return name
  }
  const write = (name: string, { properties = {}, required = [] }: Schema) => {
    const all = Object.entries(properties)
    const total = required.length > 0 ? '' : ', total=False'
    if (all.some(([key]) => KEYWORDS.includes(key))) {
      const pairs = all.map(([key, schema]) => `"${key}": ${typeOf(key, schema)}`)
      written.set(name, `${name} = TypedDict("${name}", {${pairs.join(', ')}}${total})`)
      return
    }
    const lines = all.map(([key, schema]) => `${commentOf(schema)}    ${key}: ${typeOf(key, schema)}`)
    const linesOf = (isRequired: boolean) =>
      lines.filter((_, i) => required.includes(all[i]![0]) === isRequired).join('\n')
    const [needed, others] = [linesOf(true), linesOf(false)]
    if (needed === '' || others === '')
      written.set(name, `class ${name}(TypedDict${total}):\n${lines.join('\n')}`)
    else {
      written.set(`_${name}`, `class _${name}(TypedDict):\n${needed}`)
      written.set(name, `class ${name}(_${name}, total=False):\n${others}`)
    }
  }
  for (const [name, schema] of Object.entries(types)) write(name, schema)
  return `"""Types of ${what}, by the names of the API. \`npm run openapi\` generates them from the OpenAPI document of v1."""

from __future__ import annotations

from typing import Any, Dict, List, Sequence, TypedDict, Union


${[...written.values()].join('\n\n\n')}
`
}

const unionOf = (types: readonly (string | undefined)[]) => `Union[${types.join(', ')}]`

/** Description and values of a key, as a line before it. */
function commentOf({ description, enum: values }: Schema) {
  const texts = [description, values && `One of ${values.join(', ')}.`].filter(text => text !== undefined)
  return texts.length > 0 ? `    #: ${texts.join(' ')}\n` : ''
}

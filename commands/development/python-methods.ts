/** Methods of the Python client, as the text of its module. */
import {
  ANSWER_SCHEMAS,
  type Argument,
  answerTypes,
  type ClientMethod,
  classOf,
  clientMethods,
  parameterTypes,
  type Schema,
} from './client-methods.ts'
import { SCALARS } from './python-types.ts'

/** The module with the classes of the resources. */
export function pythonMethods(): string {
  const code = [...clientMethods()]
    .map(
      ([resource, methods]) =>
        `class ${classOf(resource)}(Resource):\n${methods.map(methodText).join('\n\n')}`,
    )
    .join('\n\n\n')
  const imported = (types: readonly string[]) =>
    types
      .filter(type => new RegExp(`\\b${type}\\b`).test(code))
      .sort()
      .join(', ')
  return `"""Methods of the client. \`npm run openapi\` generates them from the declarations of the operations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator, List, Optional, Sequence

from .answers import ${imported([...answerTypes().map(([type]) => type), ...ANSWER_SCHEMAS.map(([name]) => name)])}
from .connection import Resource
from .fields import Photo, segment
from .parameters import ${imported(parameterTypes().map(({ type }) => type))}

if TYPE_CHECKING:
    from typing_extensions import Unpack


${code}
`
}

/** \`rotateSecret\` -> \`rotate_secret\`. */
const snakeCase = (name: string) => name.replaceAll(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)

const pathText = (path: string) =>
  path.includes(':') ? `f"${path.replaceAll(/:(\w+)/g, '{segment($1)}')}"` : `"${path}"`

function methodText(method: ClientMethod) {
  const { name, text, verb, path, galleryPath, args, optionalPhotos, parameters, answer } = method
  const signature = [
    'self',
    ...args.map(argumentText),
    ...optionalPhotos.map(photo => `${photo}: Optional[Photo] = None`),
    ...(galleryPath === undefined ? [] : ['*', 'gallery: Optional[str] = None']),
    ...(parameters ? [`**parameters: Unpack[${parameters.type}]`] : []),
  ]
  const place =
    galleryPath === undefined
      ? pathText(path)
      : `${pathText(path)} if gallery is None else ${pathText(galleryPath)}`
  const head = `    def ${snakeCase(name)}(${signature.join(', ')}) -> ${answerType(method)}:\n${documentation(text)}`
  if (answer.kind === 'pages') {
    const first = method.pageSize === undefined ? '' : `"page_size": ${method.pageSize}, `
    const query = parameters ? `{${first}**parameters}` : '{}'
    return `${head}        return self._entries(${place}, ${query})`
  }
  const own = (where: Argument['in']) =>
    args
      .filter(one => one.in === where)
      .map(one => `"${one.name}": ${one.schema.items ? `list(${one.name})` : one.name}`)
  const object = (where: 'query' | 'body') => {
    const fields = [...own(where), ...(parameters?.in === where ? ['**parameters'] : [])]
    return fields.length > 0 && `${where}={${fields.join(', ')}}`
  }
  const photos = [...own('photo'), ...optionalPhotos.map(photo => `"${photo}": ${photo}`)]
  const request = [
    `"${verb}"`,
    place,
    object('query'),
    object('body'),
    photos.length > 0 && `photos={${photos.join(', ')}}`,
    method.isRepeatable && 'repeatable=True',
  ].filter(Boolean)
  const call = `self._connection.send(${request.join(', ')})`
  const returned = answer.kind === 'nothing' ? call : `return ${call}`
  return `${head}        ${returned}${answer.kind === 'results' ? '["results"]' : ''}`
}

function argumentText({ name, in: place, schema }: Argument) {
  if (place === 'photo') return `${name}: Photo`
  const { default: initial } = schema
  const value = typeof initial === 'boolean' ? (initial ? 'True' : 'False') : JSON.stringify(initial)
  return `${name}: ${typeOf(schema)}${initial === undefined ? '' : ` = ${value}`}`
}

const typeOf = ({ type, items }: Schema): string =>
  items ? `Sequence[${typeOf(items)}]` : SCALARS[type as string]!

function answerType({ answer: { kind, type } }: ClientMethod) {
  if (kind === 'nothing') return 'None'
  if (kind === 'picture') return 'bytes'
  const one = SCALARS[type] ?? type
  if (kind === 'object') return one
  return kind === 'pages' ? `Iterator[${one}]` : `List[${one}]`
}

const documentation = (text: string) => `        """${text.replaceAll('\\', '\\\\')}"""\n`

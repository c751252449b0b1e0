/** Collects the fields of a query, form or multipart body into parameters; checks names, counts and repetitions. */
import { badParam, ServiceError, wrongValue } from '../../../contract/errors.ts'
import { REQUEST_LIMITS } from '../../../contract/limits/requests.ts'
import { Upload } from '../../../contract/parameters/photos.ts'
import type { Kind, KnownParameters } from '../known-parameters.ts'
import { type Branch, branch, type FieldName, parseFieldName, place, valueOfNode } from './nested-fields.ts'

export interface FieldSet {
  /**
   * Announces a field and whether it is a file. Undefined when the operation does not use its value. Throws BAD_PARAM above
   * REQUEST_LIMITS.requestFields, for a repeated single-valued parameter, and for a file in a parameter that is no photo.
   */
  meet(name: string, isFile?: boolean): FieldName | undefined
  /** Adds the value of a field that `meet` returned. */
  put(name: FieldName, value: string | Upload): void
  /** Values of the known parameters. */
  parameters(): Record<string, unknown>
  /** Unknown names in order of arrival. */
  unknown: Set<string>
}

/** `source` is `query` or `body`; errors about the number of fields name it. */
export function fieldSet(known: KnownParameters, source: string): FieldSet {
  const met = new Set<string>()
  const values = new Map<string, { plain: string | Upload } | Branch>()
  const unknown = new Set<string>()
  let count = 0

  const checkName = ({ root, keys }: FieldName, kind: Kind) => {
    if (keys.length > REQUEST_LIMITS.nestingLevels) throw badParam(root, '', nestedTooDeep(root))
    const isWhole = kind === 'once' || (kind === 'structure' && keys.length === 0)
    if (isWhole && met.has(root)) throw repeatedParam(root)
  }

  return {
    unknown,
    meet(name, isFile = false) {
      if (++count > REQUEST_LIMITS.requestFields) throw tooManyFields(source)
      const parsed = parseFieldName(name)
      const { root, keys } = parsed
      if (known.unused.has(root)) return undefined
      const kind = known.kinds.get(root)
      if (kind === undefined) {
        // Some clients append a slash to the query.
        if (root !== '' && root !== '/') unknown.add(root.slice(0, REQUEST_LIMITS.parameterNameLength))
        return undefined
      }
      if (isFile && !known.photos.includes(root)) throw wrongValue(root, new Upload(NO_BYTES, ''), 'no file')
      checkName(parsed, kind)
      met.add(root)
      return kind === 'once' && keys.length === 1 && keys[0] === '' ? { root, keys: [] } : parsed
    },
    put({ root, keys }, value) {
      const earlier = values.get(root)
      if (earlier === undefined && keys.length === 0) values.set(root, { plain: value })
      else if (known.kinds.get(root) === 'list') {
        const list = asBranch(earlier)
        values.set(root, list)
        if (!place(list, keys.length === 0 ? [''] : keys, value)) throw repeatedParam(root)
      } else {
        const structure = earlier ?? branch()
        values.set(root, structure)
        if ('plain' in structure || keys.length === 0 || !place(structure, keys, value))
          throw repeatedParam(root)
      }
    },
    parameters: () =>
      Object.fromEntries(
        [...values].map(([name, value]) => [name, 'plain' in value ? value.plain : valueOfNode(value)]),
      ),
  }
}

const NO_BYTES = new Uint8Array()

/** The elements of a list so far, as a branch. */
function asBranch(earlier: { plain: string | Upload } | Branch | undefined): Branch {
  if (earlier !== undefined && !('plain' in earlier)) return earlier
  const list = branch()
  if (earlier !== undefined) place(list, [''], earlier.plain)
  return list
}

const tooManyFields = (source: string) =>
  badParam(source, '', `${source}: expected at most ${REQUEST_LIMITS.requestFields} fields.`)

export const repeatedParam = (param: string): ServiceError =>
  badParam(param, '', `${param}: expected one value, got it more than once.`)

const nestedTooDeep = (param: string) =>
  `${param}: expected at most ${REQUEST_LIMITS.nestingLevels} levels of brackets in its name.`

/** Decodes UTF-8. Throws BAD_PARAM for other bytes. */
export function textOf(param: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    const reason = `${param}: expected text in UTF-8, got bytes of another encoding.`
    throw new ServiceError('BAD_PARAM', { param, value: '', reason }, { cause })
  }
}

/** Fields of a query, a form or a multipart body -> parameters: names are matched, counted and put together. */
import { badParam, type ServiceError, unexpected } from '../../../core/contract/errors.ts'
import { LIMITS } from '../../../core/contract/limits.ts'
import type { Kind, KnownParameters } from '../../parameters/known-parameters.ts'
import { type FieldName, parseFieldName } from './field-name.ts'
import { type Branch, branch, built, place } from './nested-fields.ts'
import { Upload } from './upload.ts'

export interface FieldSet {
  /**
   * Says that a field of this name comes, and whether it is a file. Undefined when its value is not needed. BAD_PARAM when
   * it is one field too many, repeats a parameter that may come once, or is a file where none is taken.
   */
  meet(name: string, isFile?: boolean): FieldName | undefined
  /** Adds the value of a field that was met. */
  put(name: FieldName, value: string | Upload): void
  /** Values of the parameters that the operation knows. */
  parameters(): Record<string, unknown>
  /** Names that it does not know, in their order. */
  unknown: Set<string>
}

/** `source` is `query` or `body`: the name that errors about all of it carry. */
export function fieldSet(known: KnownParameters, source: string): FieldSet {
  const met = new Set<string>()
  const values = new Map<string, { plain: string | Upload } | Branch>()
  const unknown = new Set<string>()
  let count = 0

  const checkName = ({ root, keys }: FieldName, kind: Kind): void => {
    if (keys.length > LIMITS.nestingLevels) throw badParam(root, '', nestedTooDeep(root))
    const isWhole = kind === 'once' || (kind === 'structure' && keys.length === 0)
    if (isWhole && met.has(root)) throw repeated(root)
  }

  return {
    unknown,
    meet(name, isFile = false) {
      if (++count > LIMITS.requestFields) throw tooManyFields(source)
      const parsed = parseFieldName(name)
      const { root, keys } = parsed
      if (known.unused.has(root)) return undefined
      const kind = known.kinds.get(root)
      if (kind === undefined) {
        // A lone slash comes from clients that append one to the query.
        if (root !== '' && root !== '/') unknown.add(root.slice(0, LIMITS.parameterNameLength))
        return undefined
      }
      if (isFile && !known.photos.includes(root)) throw unexpected(root, new Upload(NOTHING, ''), 'no file')
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
        if (!place(list, keys.length === 0 ? [''] : keys, value)) throw repeated(root)
      } else {
        const structure = earlier ?? branch()
        values.set(root, structure)
        if ('plain' in structure || keys.length === 0 || !place(structure, keys, value)) throw repeated(root)
      }
    },
    parameters: () =>
      Object.fromEntries(
        [...values].map(([name, value]) => [name, 'plain' in value ? value.plain : built(value)]),
      ),
  }
}

const NOTHING = new Uint8Array()

/** The elements of a list so far. */
function asBranch(earlier: { plain: string | Upload } | Branch | undefined): Branch {
  if (earlier !== undefined && !('plain' in earlier)) return earlier
  const list = branch()
  if (earlier !== undefined) place(list, [''], earlier.plain)
  return list
}

const tooManyFields = (source: string): ServiceError =>
  badParam(source, '', `${source}: expected at most ${LIMITS.requestFields} fields.`)

export const repeated = (param: string): ServiceError =>
  badParam(param, '', `${param}: expected one value, got it more than once.`)

const nestedTooDeep = (param: string): string =>
  `${param}: expected at most ${LIMITS.nestingLevels} levels of brackets in its name.`

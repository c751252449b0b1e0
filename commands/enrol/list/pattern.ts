/** Patterns of relative paths, such as `{gallery}/{meta}/*`, which name the fields of a photo in a folder. */
import { UsageError } from '../../terminal/usage-error.ts'
import type { GivenFields } from './row.ts'
import { unknownName } from './unknown-name.ts'

/** Fields of a path with "/" as separator; undefined for a path that does not match. */
export type PathPattern = (path: string) => GivenFields | undefined

/** Placeholders and the fields that they set. */
const PLACEHOLDERS = { meta: 'meta', gallery: 'galleries', camera: 'camera', time: 'time' } as const
type Placeholder = keyof typeof PLACEHOLDERS

/**
 * Compiles a pattern. `*` stands for any characters except "/", `**` for any characters, `{meta}`, `{gallery}`, `{camera}` and
 * `{time}` for at least one character except "/". Throws UsageError for another or repeated placeholder.
 */
export function pathPattern(text: string): PathPattern {
  const used = new Set<string>()
  const source = text.replace(/\{([^}]*)\}|\*\*|\*|[^{*]+|\{/gsu, (part, name: string | undefined) => {
    if (part === '**') return '.*'
    if (part === '*') return '[^/]*'
    if (name === undefined) return part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
    if (!Object.hasOwn(PLACEHOLDERS, name))
      throw new UsageError(unknownName('placeholder', name, Object.keys(PLACEHOLDERS)))
    if (used.has(name)) throw new UsageError(`The pattern has {${name}} twice.`)
    used.add(name)
    return `(?<${name}>[^/]+?)`
  })
  const expression = new RegExp(`^${source}$`, 'su')
  return path => {
    const match = expression.exec(path)
    if (!match) return undefined
    const groups = Object.entries(match.groups ?? {})
    return Object.fromEntries(groups.map(([name, value]) => [PLACEHOLDERS[name as Placeholder], value]))
  }
}

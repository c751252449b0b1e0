/** Loaded before everything else: functions that Node 20 lacks (releases run on it), and quick imports. */
import module from 'node:module'

Promise.withResolvers ??= <T>() => {
  let resolve!: PromiseWithResolvers<T>['resolve']
  let reject!: PromiseWithResolvers<T>['reject']
  const promise = new Promise<T>((...settle) => ([resolve, reject] = settle))
  return { promise, resolve, reject }
}

Map.groupBy ??= <K, T>(items: Iterable<T>, keyOf: (item: T, index: number) => K) => {
  const groups = new Map<K, T[]>()
  let index = 0
  for (const item of items) {
    const key = keyOf(item, index++)
    const group = groups.get(key)
    if (group) group.push(item)
    else groups.set(key, [item])
  }
  return groups
}

// Node 20 calls imports of JSON experimental at each start.
process.emitWarning = new Proxy(process.emitWarning, {
  apply: (emit, self, given) =>
    String(given[0]).startsWith('Importing JSON modules') || Reflect.apply(emit, self, given),
})

const ROOT = new URL('../../', import.meta.url).href

/** Packages of many modules, whose type is "module". */
const PACKAGES = /\/node_modules\/(drizzle-orm|zod)\/.*\.js$/

/** What sources import by the names of packages: the same file for each of them. */
const packages = new Map<string, module.ResolveFnOutput>()

/**
 * Resolves relative imports by their path, and each package once. Node would read package.json again for each of a thousand
 * modules: a quarter of the CPU time of a start. Node 20 runs releases, and does not have these hooks.
 */
module.registerHooks?.({
  resolve(specifier, context, next) {
    const parent = context.parentURL ?? ''
    const found = (url: URL, format: string) => ({ url: url.href, format, shortCircuit: true })
    if (PACKAGES.test(parent) && /^\.\.?\/.*\.js$/.test(specifier))
      return found(new URL(specifier, parent), 'module')
    const isSource = parent.startsWith(ROOT) && !parent.includes('/node_modules/') && parent.endsWith('.ts')
    if (isSource && /^#.*\.ts$/.test(specifier))
      return found(new URL(specifier.slice(1), ROOT), 'module-typescript')
    if (isSource && /^\..*\.ts$/.test(specifier))
      return found(new URL(specifier, parent), 'module-typescript')
    if (!isSource || !/^[@\w]/.test(specifier)) return next(specifier, context)
    const key = `${specifier} ${context.conditions}`
    const known = packages.get(key) ?? next(specifier, context)
    packages.set(key, known)
    return { ...known, shortCircuit: true }
  },
})

/** Loaded before everything else: what Node 20 lacks, which releases run on, and quick imports of drizzle-orm. */
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

/**
 * Node would read the package's `exports`, 180 KB, again for each of its hundred modules, which takes most of the time of a
 * short command.
 */
const PACKAGE = '/node_modules/drizzle-orm/'

// Node 20, which runs releases, lacks it.
module.registerHooks?.({
  resolve(specifier, context, next) {
    const parent = context.parentURL
    if (!parent?.includes(PACKAGE) || !parent.endsWith('.js') || !/^\..*\.js$/.test(specifier))
      return next(specifier, context)
    // The package's type is "module".
    return { url: new URL(specifier, parent).href, format: 'module', shortCircuit: true }
  },
})

/**
 * Resolves imports between the modules of drizzle-orm.
 *
 * Node would read the package's `exports`, 180 KB, again for each of its hundred modules, which takes most of the time
 * of a short command. Preloaded, or imported before everything else.
 */
import module from 'node:module'

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

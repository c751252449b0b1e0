/** Runs the command that is named first: `node commands/run.js token list`. Plain JavaScript, because older Nodes must read it. */
import { existsSync } from 'node:fs'
import module from 'node:module'
import { fileURLToPath } from 'node:url'

const [name = '', ...args] = process.argv.slice(2)
const script = fileURLToPath(new URL(`./${name}.ts`, import.meta.url))
const fail = message => {
  console.error(message)
  process.exit(1)
}

// Set by Node 22.18, 23.6 and later, which run TypeScript.
if (!process.features.typescript)
  fail(
    `Mien needs Node.js 22.18 or later, best 24; this is ${process.versions.node}. "npm run ${name || 'start'}" uses the Node.js 24 that "npm ci" installed.`,
  )
if (!/^[a-z-]+$/.test(name) || !existsSync(script))
  fail(`There is no command "${name}". "npm run" lists the commands.`)

// Compiled sources are kept for the next start, of child processes too. A folder that can't be written to is no error.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../node_modules/.cache/node', import.meta.url))
module.enableCompileCache(process.env.NODE_COMPILE_CACHE)
await import('./service/drizzle-resolution.ts')
process.argv = [process.argv[0], script, ...args]
await import(new URL(`./${name}.ts`, import.meta.url).href)

#!/usr/bin/env node
/** The command `mien`. Plain JavaScript, because older Nodes must read it. */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import module, { createRequire } from 'node:module'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ARGS = process.argv.slice(2)

/** How the installed Node is started. If it runs no TypeScript either, for example by NODE_OPTIONS, it must not start itself. */
const INSTALLED = 'mien'

/** The oldest Node: for the JavaScript of a release, or for the TypeScript of the repository. */
const OLDEST = existsSync(new URL('program.js', import.meta.url)) ? '20.15' : '22.18'

if (canRun()) await runHere()
else runElsewhere(installedNode())

/** Whether this Node runs the program. Node 22.18, 23.6 and later have the feature `typescript`. */
function canRun() {
  if (OLDEST === '22.18') return Boolean(process.features.typescript)
  const [major, minor] = process.versions.node.split('.').map(Number)
  return major > 20 || (major === 20 && minor >= 15)
}

async function runHere() {
  // Compiled sources are kept for the next start, of child processes too. A folder that can't be written to is no error.
  process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../node_modules/.cache/node', import.meta.url))
  module.enableCompileCache?.(process.env.NODE_COMPILE_CACHE)
  await import('./processes/preload.ts')
  const { mienProgram } = await import('./program.ts')
  const { runProgram } = await import('./terminal/command-line.ts')
  await runProgram(await mienProgram(ARGS), ARGS)
}

/** The Node that `npm ci` installs for this platform; undefined when there is none. */
function installedNode() {
  const require = createRequire(import.meta.url)
  const platform = process.platform === 'win32' ? 'win' : process.platform
  for (const name of [`node-${platform}-${process.arch}`, `node-bin-${platform}-${process.arch}`])
    try {
      const manifest = require.resolve(`${name}/package.json`)
      return join(dirname(manifest), JSON.parse(readFileSync(manifest, 'utf8')).bin.node)
    } catch {
      // The package is for another platform.
    }
  return undefined
}

/** Runs the same command with another Node, and ends as it ends. */
function runElsewhere(node) {
  if (node === undefined || process.argv0 === INSTALLED) {
    console.error(
      `Mien needs Node.js ${OLDEST} or later, best 24; this is ${process.versions.node}. "npm ci" in the repository installs Node.js 24 on most platforms.`,
    )
    process.exit(1)
  }
  const child = spawn(node, [fileURLToPath(import.meta.url), ...ARGS], {
    stdio: 'inherit',
    argv0: INSTALLED,
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'])
    process.on(signal, () => child.kill(signal))
  child.on('error', error => {
    console.error(`${node} can't be run: ${error.message}`)
    process.exit(1)
  })
  // A shell's exit code for a signal.
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
}

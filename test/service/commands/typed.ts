/** Runs commands as a person types them, each in its own process. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

export const ROOT = join(import.meta.dirname, '..', '..', '..')

export interface Said {
  status: number | null
  stdout: string
  stderr: string
  /** Both outputs. */
  said: string
}

const MIEN = join(ROOT, 'commands', 'mien.js')

/** Variables of a command: none of the caller that choose a folder or a service. */
const variables = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  ...process.env,
  ...{ MIEN_DATA: '', MIEN_URL: '', MIEN_TOKEN: '', MIEN_PACK: '', MIEN_EDGE_SECRET: '' },
  ...env,
})

/** Runs `mien VERB ...` with `input` on standard input. */
export function typed(args: readonly string[], env: NodeJS.ProcessEnv = {}, input = ''): Said {
  const options = { encoding: 'utf8', input, env: variables(env) } as const
  const { status, stdout, stderr } = spawnSync(process.execPath, [MIEN, ...args], options)
  return { status, stdout, stderr, said: stdout + stderr }
}

/** Starts `mien VERB ...`. `exited` resolves with its end and its outputs. */
export function running(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const child = spawn(process.execPath, [MIEN, ...args], {
    env: variables(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const printed = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) child[name].on('data', chunk => (printed[name] += chunk))
  const said = () => printed.stdout + printed.stderr
  const exited = once(child, 'close').then(([code, signal]) => ({ code, signal, ...printed, said: said() }))
  return { child, said, exited }
}

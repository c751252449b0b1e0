/** `npm run edge` as a process of the test, with what it prints. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { inject, onTestFinished } from 'vitest'

const SCRIPT = join(import.meta.dirname, '..', '..', '..', 'commands', 'edge.ts')

export interface LoggedEdge {
  origin: string
  /** Lines of its log. */
  lines(): Record<string, unknown>[]
}

/** Asks the core of all tests unless told otherwise. Rejects with all that it printed when it ends at once. */
export async function startLoggedEdge(env: Record<string, string> = {}): Promise<LoggedEdge> {
  const args = ['--core', env.MIEN_CORE_URL ?? inject('core'), '--data', inject('data'), '--port', '0']
  const child = spawn(process.execPath, [SCRIPT, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(async () => {
    if (child.exitCode !== null) return
    const gone = once(child, 'exit')
    child.kill('SIGTERM')
    await gone
  })
  let output = ''
  const origin = await new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', chunk => {
        output += chunk
        const [, listening] = /listens on (\S+),/.exec(output) ?? []
        if (listening) resolve(listening)
      })
    child.once('close', () => reject(new Error(output)))
  })
  const lines = () =>
    output
      .split('\n')
      .filter(line => line.startsWith('{') && line.endsWith('}'))
      .map(line => JSON.parse(line))
  return { origin, lines }
}

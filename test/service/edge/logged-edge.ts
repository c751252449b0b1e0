/** Starts `mien edge` as a process and captures its log. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { inject } from 'vitest'

const MIEN = join(import.meta.dirname, '..', '..', '..', 'commands', 'mien.js')

interface LoggedEdge {
  origin: string
  /** Parsed JSON lines of the log. */
  lines(): Record<string, unknown>[]
}

/** Uses the shared core unless MIEN_CORE_URL is given. Rejects with the output when the process exits at once. */
export async function startLoggedEdge(env: Record<string, string> = {}): Promise<LoggedEdge> {
  const args = ['--core', env.MIEN_CORE_URL ?? inject('core'), '--data', inject('data'), '--port', '0']
  const child = spawn(process.execPath, [MIEN, 'edge', ...args], {
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

/** A child process of the launcher: started, awaited until ready, stopped. */
import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

export interface ChildSettings {
  /** What it is, in messages to the operator. */
  name: string
  script: string
  env: Record<string, string>
  /** Takes what the child prints, line by line; without it the child prints where this process does. */
  onLine?: ((line: string) => void) | undefined
}

export interface Child {
  /** The port that the child says it listens on. */
  port: number
  /** Ends the child; settles when it is gone. After the grace time it is killed. */
  stop(graceMs: number): Promise<void>
  /** Settles when the child is gone. */
  gone: Promise<void>
}

/**
 * V8 may end the process when one thread frees WebAssembly code while another one starts or ends (nodejs/node issue 64500).
 * Our modules are few and live as long as their threads: code that was replaced by quicker code may stay.
 */
export const KEEP_WASM_CODE = '--no-wasm-code-gc'

const RESOLUTION = new URL('./drizzle-resolution.ts', import.meta.url).href

/** Settles when the child says that it is ready. Rejects when it exits before that: it has said why on stderr. */
export function startChild({ name, script, env, onLine }: ChildSettings): Promise<Child> {
  // A group of its own: Ctrl-C reaches the launcher alone, and a grandchild never outlives its parent.
  const child = spawn(process.execPath, [KEEP_WASM_CODE, `--import=${RESOLUTION}`, script], {
    env: { ...process.env, ...env },
    stdio: ['ignore', onLine ? 'pipe' : 'inherit', onLine ? 'pipe' : 'inherit', 'ipc'],
    detached: process.platform !== 'win32',
  })
  if (onLine)
    for (const stream of [child.stdout, child.stderr])
      if (stream) createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY }).on('line', onLine)
  const gone = new Promise<void>(resolve => {
    child.once('exit', () => killGroup(child))
    // After its last line was read, too.
    child.once('close', () => resolve())
  })
  const stop = async (graceMs: number) => {
    const timer = setTimeout(() => killGroup(child), graceMs)
    child.kill('SIGTERM')
    await gone
    clearTimeout(timer)
  }
  return new Promise((resolve, reject) => {
    child.once('message', message => resolve({ port: (message as { port: number }).port, stop, gone }))
    void gone.then(() => reject(new Error(`${name} did not start.`)))
  })
}

/** Kills what is left of the child and its children. That nothing is left is no error. */
function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return
  try {
    if (process.platform === 'win32') child.kill('SIGKILL')
    else process.kill(-child.pid, 'SIGKILL')
  } catch {
    // ESRCH: the whole group is gone already.
  }
}

/** A real core as a process of its own, for tests that stop, freeze and kill it. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

const SERVER = fileURLToPath(new URL('../../../core/server.ts', import.meta.url))

export interface Core {
  data: string
  child: ChildProcess
  /** The port once it is ready; rejects with what it said on stderr when it ends before that. */
  port: Promise<number>
  exit: Promise<[number | null, NodeJS.Signals | null]>
}

/** Starts it on this data folder; killed with the test at the latest. */
export function startCore(data: string, environment: Record<string, string> = {}): Core {
  const child = fork(SERVER, {
    env: { ...process.env, MIEN_DATA: data, MIEN_CORE_PORT: '0', ...environment },
    silent: true,
  })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  let complaint = ''
  child.stderr?.on('data', text => {
    complaint += text
  })
  const exit = once(child, 'exit') as Core['exit']
  const port = new Promise<number>((resolve, reject) => {
    child.once('message', message => resolve((message as { port: number }).port))
    child.once('close', () => reject(new Error(complaint)))
  })
  return { data, child, port, exit }
}

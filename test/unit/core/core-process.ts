/** A real core in a separate process, for tests that stop, freeze and kill it. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const SERVER = fileURLToPath(new URL('../../../core/server.ts', import.meta.url))

export interface Core {
  data: string
  child: ChildProcess
  /** The port when core is ready. Rejects with its stderr when the process ends before. */
  port: Promise<number>
  exit: Promise<[number | null, NodeJS.Signals | null]>
}

/** Starts a core on this data folder, of this checkout or from another `server.ts`. The end of the test kills it. */
export function startCore(data: string, environment: Record<string, string> = {}, server = SERVER): Core {
  const child = fork(server, {
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

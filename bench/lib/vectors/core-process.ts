/** Runs a core process without an edge. */
import { fork } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface CoreProcess {
  origin: string
  /** CPU seconds used so far; NaN on systems without /proc. */
  cpuSeconds(): Promise<number>
  stop(): Promise<void>
}

/** Resolves when core is ready. Rejects when it exits before, with the reason on stderr. */
export async function startCore(data: string, environment: Record<string, string>): Promise<CoreProcess> {
  const child = fork(join(import.meta.dirname, '..', '..', '..', 'core', 'server.ts'), {
    env: {
      ...process.env,
      MIEN_DATA: data,
      MIEN_CORE_PORT: '0',
      MIEN_CORE_HOST: '127.0.0.1',
      ...environment,
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const gone = new Promise<void>(resolve => child.once('exit', () => resolve()))
  const port = await new Promise<number>((resolve, reject) => {
    child.once('message', message => resolve((message as { port: number }).port))
    void gone.then(() => reject(new Error('Core did not start.')))
  })
  return {
    origin: `http://127.0.0.1:${port}`,
    cpuSeconds: () => cpuSecondsOf(child.pid),
    async stop() {
      child.kill('SIGTERM')
      await gone
    },
  }
}

/**
 * User and system time from /proc/PID/stat, after the command in brackets. Linux counts in hundredths of a second
 * here.
 */
async function cpuSecondsOf(pid: number | undefined): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}

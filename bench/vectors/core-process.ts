/** A core process with no edge before it. */
import { fork } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface CoreProcess {
  origin: string
  /** Processor time that it has used; NaN where there is no /proc. */
  cpuSeconds(): Promise<number>
  stop(): Promise<void>
}

/** Resolves when it is ready. Rejects when it ends before that; it has said why on stderr. */
export async function startCore(data: string, environment: Record<string, string>): Promise<CoreProcess> {
  const child = fork(join(import.meta.dirname, '..', '..', 'core', 'server.ts'), {
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

/** Of /proc/PID/stat, behind the command in brackets: user and system time, which Linux counts in hundredths here. */
async function cpuSecondsOf(pid: number | undefined): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}

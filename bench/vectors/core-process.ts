/** A core process with no edge before it. */
import { fork } from 'node:child_process'
import { join } from 'node:path'

export interface CoreProcess {
  origin: string
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
    async stop() {
      child.kill('SIGTERM')
      await gone
    },
  }
}

/** Starts the service for tests and benchmarks: `mien start` on free ports with its own data folder. */

import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from '#test/support/root.ts'
import { startUntil } from './processes.ts'

export interface Service extends AsyncDisposable {
  edge: string
  core: string
  token: string
  /** Process id of the launcher. */
  pid: number
  data: string
  /** Output of the launcher so far. */
  output(): string
  /** Resolves with the exit code of the launcher. */
  exited: Promise<number | null>
  /** Sends the signal. Resolves with the exit code when the launcher has ended. The data folder stays until `remove` is called. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
  remove(): Promise<void>
}

export interface ServiceOptions {
  /** Data folder. Default: a new one in the temporary folder. */
  data?: string
  args?: string[]
  env?: Record<string, string>
  /** Path of the `mien` command. Default: the command of the repository. */
  mien?: string
}

/** Resolves when the service is ready. Rejects with its output when it ends before that. */
export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const data = options.data ?? (await mkdtemp(join(tmpdir(), 'mien-')))
  const args = ['--data', data, '--edge-port', '0', '--core-port', '0', ...(options.args ?? [])]
  const command: [string, ...string[]] = options.mien
    ? [options.mien]
    : [process.execPath, join(ROOT, 'commands', 'mien.js')]
  const { child, output, exited } = await startUntil('Mien is ready.', [...command, 'start', ...args], {
    cwd: tmpdir(),
    env: { ...process.env, ...options.env },
  })
  const { edge, core, token, pid } = JSON.parse(await readFile(join(data, 'ready.json'), 'utf8'))
  const stop = async (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal)
    return exited
  }
  const remove = () => rm(data, { recursive: true, force: true })
  return {
    edge,
    core,
    token,
    pid,
    data,
    exited,
    output,
    stop,
    remove,
    async [Symbol.asyncDispose]() {
      await stop()
      await remove()
    },
  }
}

/** The real service for tests and benchmarks: `npm start` on free ports and a data folder of its own. */
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..', '..')

export interface Service {
  edge: string
  core: string
  token: string
  /** Process id of the launcher. */
  pid: number
  data: string
  /** What the launcher has printed so far. */
  output(): string
  /** The exit code, once it has stopped. */
  exited: Promise<number | null>
  /** Sends the signal and settles when the launcher is gone. The data folder stays unless `remove` is called. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
  remove(): Promise<void>
}

export interface ServiceOptions {
  /** A folder of an earlier service; a new one in the temporary folder when absent. */
  data?: string
  args?: string[]
  env?: Record<string, string>
  /** Path of an installed `mien`; that of the repository when absent. */
  mien?: string
}

/** Starts it and waits until it says that it is ready. Rejects with its output when it ends before that. */
export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const data = options.data ?? (await mkdtemp(join(tmpdir(), 'mien-')))
  const args = ['--data', data, '--edge-port', '0', '--core-port', '0', ...(options.args ?? [])]
  const [program, ...first] = options.mien
    ? [options.mien]
    : [process.execPath, join(ROOT, 'commands', 'mien.js')]
  const child = spawn(program!, [...first, 'start', ...args], {
    cwd: tmpdir(),
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const exited = new Promise<number | null>(resolve => child.once('exit', resolve))
  const ready = new Promise<void>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk
      if (output.includes('Mien is ready.')) resolve()
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    void exited.then(code => reject(new Error(`npm start ended with ${code}:\n${output}`)))
  })
  await ready
  const { edge, core, token, pid } = JSON.parse(await readFile(join(data, 'ready.json'), 'utf8'))
  return {
    edge,
    core,
    token,
    pid,
    data,
    exited,
    output: () => output,
    async stop(signal = 'SIGTERM') {
      child.kill(signal)
      return exited
    },
    remove: () => rm(data, { recursive: true, force: true }),
  }
}

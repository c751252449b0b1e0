/** Child processes of the launcher: starts them, waits until they are ready, and restarts them when they die. */
import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import {
  AWS_SECRET,
  BUCKET_SECRET,
  DATABASE_TOKEN,
  fileOf,
  OPERATOR_KEY,
  PROVIDER_SECRET,
} from '../../core/configuration/credentials.ts'
import { MODULE_EXTENSION } from '../../core/files/program-form.ts'

interface ChildSettings {
  /** Name in messages to the operator. */
  name: string
  script: string
  /** Arguments of the script. Other users of the machine can read them. */
  args?: readonly string[]
  /** Further flags of Node, for example `--inspect`. */
  flags?: readonly string[]
  env: Record<string, string>
  /** Sent to the child at its start: unlike the environment, its own children and other processes do not see it. */
  message?: object
  /** Called with each line that the child prints. When absent, the child inherits the streams of this process. */
  onLine?: (line: string) => void
}

export interface Child {
  /** The port that the child reports. */
  port: number
  /** Ends the child; resolves when it has exited. The child is killed after `graceMs` milliseconds. */
  stop(graceMs: number): Promise<void>
  /** Resolves when the child has exited. */
  gone: Promise<void>
}

/**
 * V8 may crash when one thread frees WebAssembly code while another one starts or ends (nodejs/node issue 64500). Our
 * modules are few and live as long as their threads: code that was replaced by optimized code may stay in memory.
 */
export const KEEP_WASM_CODE = '--no-wasm-code-gc'

const PRELOADED = `--import=${new URL(`./preload${MODULE_EXTENSION}`, import.meta.url).href}`

/** Resolves when the child reports that it is ready. Rejects when it exits before that; its stderr states the reason. */
export function startChild(settings: ChildSettings): Promise<Child> {
  const { name, script, args = [], flags = [], env, message, onLine } = settings
  // A separate process group: Ctrl-C reaches only the launcher, and grandchildren never outlive the child.
  const child = spawn(process.execPath, [KEEP_WASM_CODE, ...flags, PRELOADED, script, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', onLine ? 'pipe' : 'inherit', onLine ? 'pipe' : 'inherit', 'ipc'],
    detached: process.platform !== 'win32',
  })
  if (message) child.send(message)
  if (onLine)
    for (const stream of [child.stdout, child.stderr])
      if (stream) createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY }).on('line', onLine)
  const gone = new Promise<void>(resolve => {
    child.once('exit', () => killGroup(child))
    // `close` also waits until its last line was read.
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

/** Kills the remaining processes of the child's group. An empty group is no error. */
function killGroup(child: ChildProcess) {
  if (child.pid === undefined) return
  try {
    if (process.platform === 'win32') child.kill('SIGKILL')
    else process.kill(-child.pid, 'SIGKILL')
  } catch {
    // ESRCH: the whole group has exited.
  }
}

/** A child that exits this soon after its start, this many times in a row, is not restarted. */
const MIN_LIFETIME_MS = 10_000
const MAX_FAILURES = 3

export type Supervised = Awaited<ReturnType<typeof supervise>>

/**
 * Starts a child and restarts it whenever it exits. `start` receives the port to listen on. Rejects when the first
 * start fails. Calls `onFailure` when the child cannot be kept alive later.
 */
export async function supervise(
  name: string,
  firstPort: number,
  start: (port: number) => Promise<Child>,
  onFailure: () => void,
) {
  let child = await start(firstPort)
  const port = child.port
  let stopping = false

  const watch = async () => {
    for (let failures = 0; failures < MAX_FAILURES; ) {
      const began = Date.now()
      await child.gone
      if (stopping) return
      failures = Date.now() - began < MIN_LIFETIME_MS ? failures + 1 : 1
      console.error(`${name} has died and is started again.`)
      child = await start(port).catch(() => child)
    }
    if (!stopping) onFailure()
  }
  void watch()

  return {
    port,
    /** Ends the child permanently. The child is killed after `graceMs` milliseconds. */
    async stop(graceMs: number) {
      stopping = true
      await child.stop(graceMs)
    },
  }
}

/** Environment variables that hide them from a child process. */
export const HIDDEN_SECRETS: Readonly<Record<string, string>> = {
  [BUCKET_SECRET]: '',
  [AWS_SECRET]: '',
  [PROVIDER_SECRET]: '',
  [fileOf(PROVIDER_SECRET)]: '',
  [OPERATOR_KEY]: '',
  [fileOf(OPERATOR_KEY)]: '',
  [DATABASE_TOKEN]: '',
  [fileOf(DATABASE_TOKEN)]: '',
}

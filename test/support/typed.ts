/** Runs commands as a person types them: in a thread that keeps the program loaded, or each in its own process. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads'
import { ROOT } from '#test/support/root.ts'

const MIEN = join(ROOT, 'commands', 'mien.js')

/** Time limit of a command. The timeout of a test does not help: its event loop is blocked. */
const LONGEST_MS = 110_000

/** Umask of a process of the command. A thread cannot set it. */
const PRIVATE = 0o077

/** A command for the thread. */
export interface Typed {
  args: readonly string[]
  env: NodeJS.ProcessEnv
  /** Standard input. */
  input: string
}

/** The end of a command in the thread. */
export interface Ended {
  status: number
  stdout: string
  stderr: string
  /** `mien models` ends its process, and here the thread. */
  isThreadOver: boolean
}

/** Variables of a command: none of the caller that choose a folder or a service. */
const variables = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  ...process.env,
  MIEN_DATA: '',
  MIEN_URL: '',
  MIEN_TOKEN: '',
  MIEN_PACK: '',
  MIEN_EDGE_SECRET: '',
  ...env,
})

let thread: ReturnType<typeof startThread> | undefined

/**
 * Runs `mien VERB ...` with `input` on standard input, and blocks the caller: many callers cannot await. A process for each command
 * would take a second of CPU. Not for commands that start processes. `said`: both outputs.
 */
export function runMien(args: readonly string[], env: NodeJS.ProcessEnv = {}, input = '') {
  thread ??= startThread()
  const { ended, port } = thread
  Atomics.store(ended, 0, 0)
  port.postMessage({ args, env: variables(env), input } satisfies Typed)
  const before = process.umask(PRIVATE)
  const outcome = Atomics.wait(ended, 0, 0, LONGEST_MS)
  process.umask(before)
  if (outcome === 'timed-out') {
    thread = undefined
    throw new Error(`mien ${args[0]} did not end in time.`)
  }
  const { status, stdout, stderr, isThreadOver } = receiveMessageOnPort(port)!.message as Ended
  if (isThreadOver) thread = undefined
  return { status, stdout, stderr, said: stdout + stderr }
}

function startThread() {
  const ended = new Int32Array(new SharedArrayBuffer(4))
  const { port1: port, port2 } = new MessageChannel()
  const worker = new Worker(new URL('command-thread.ts', import.meta.url), {
    workerData: { ended, port: port2 },
    transferList: [port2],
  })
  worker.unref()
  return { ended, port }
}

/** Starts `mien VERB ...` as a process. `exited` resolves with its end and its outputs. */
export function startMien(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const child = spawn(process.execPath, [MIEN, ...args], {
    env: variables(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const printed = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) child[name].on('data', chunk => (printed[name] += chunk))
  const said = () => printed.stdout + printed.stderr
  const exited = once(child, 'close').then(([code, signal]) => ({ code, signal, ...printed, said: said() }))
  return { child, said, exited }
}

/** Throws when `mien store verify` finds a fault. Its stores may be open, but must not change during the check. */
export function expectVerified(data: string): void {
  const { status, said } = runMien(['store', 'verify', '--data', data])
  if (status !== 0) throw new Error(said)
}

/** Creates tokens of a running service. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads'
import type { TokenRequest } from '#core/metadata/issue-tokens.ts'

export type TokenOptions = Partial<Pick<TokenRequest, 'name' | 'scope' | 'expires' | 'rate'>>

/** The caller waits at most this time. The timeout of a test does not help: its event loop is blocked. */
const LONGEST_MS = 60_000

/** Answer of the thread: the token, or the message of an error. */
export type TokenReply = { token: string } | { error: string }

/**
 * Creates a token of an owner, and the owner when no owner has this name. A running service accepts it at once. A thread creates
 * it while the caller blocks: many callers cannot await, and a process of `mien token create` takes a second of CPU.
 */
export function newToken(data: string, owner: string, options: TokenOptions = {}): string {
  thread ??= startThread()
  Atomics.store(thread.ready, 0, 0)
  thread.port.postMessage({ data, owner, name: '', ...options } satisfies TokenRequest)
  if (Atomics.wait(thread.ready, 0, 0, LONGEST_MS) === 'timed-out')
    throw new Error('No token was made in time.')
  const reply = receiveMessageOnPort(thread.port)!.message as TokenReply
  if ('error' in reply) throw new Error(`No token was made: ${reply.error}`)
  return reply.token
}

let thread: ReturnType<typeof startThread> | undefined

function startThread() {
  const ready = new Int32Array(new SharedArrayBuffer(4))
  const { port1: port, port2 } = new MessageChannel()
  const worker = new Worker(new URL('token-thread.ts', import.meta.url), {
    workerData: { ready, port: port2 },
    transferList: [port2],
  })
  worker.unref()
  return { ready, port }
}

/** Creates a token with the command `mien token create`. The environment selects the service. */
export function createToken(options: readonly string[], env: NodeJS.ProcessEnv = process.env): string {
  const command = join(import.meta.dirname, '..', '..', 'commands', 'mien.js')
  const made = spawnSync(process.execPath, [command, 'token', 'create', ...options], {
    encoding: 'utf8',
    env,
  })
  const token = /mien_[0-9A-Za-z]+/.exec(made.stdout)?.[0]
  if (token === undefined) throw new Error(`No token was made: ${made.stdout}${made.stderr}`)
  return token
}

/** A program on a simulated host: start, kill, freeze, and restart with its data. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Host } from './network.ts'

export interface Node {
  readonly name: string
  readonly host: Host
  readonly origin: string
  /** Resolves when the program reports ready. Throws when it exits before, or after one minute. */
  start(): Promise<void>
  /** Resolves when the program has exited. */
  stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>
  /** Resolves when the program ends, also at once when it does not run. */
  ended(): Promise<void>
  /** Process id of the running program. */
  pid(): number | undefined
  /** Suspends the program with its connections open. Returns the function that resumes it. */
  freeze(): () => void
}

export interface Program {
  name: string
  port: number
  /** Called at each start. */
  command(): readonly string[]
  /** Words before the command that enters the host. Called at each start. */
  launcher?: () => readonly string[]
  environment?: Record<string, string>
  /** Path that responds with 2xx when the program is ready. */
  readyPath: string
  /** Path of the file with its output. */
  log: string
}

const READY_MS = 60_000

export function nodeOf(
  host: Host,
  { name, port, command, launcher = () => [], environment, readyPath, log }: Program,
): Node {
  const origin = `http://${host.address}:${port}`
  let child: ChildProcess | undefined
  return {
    name,
    host,
    origin,
    async start() {
      const file = openSync(log, 'a')
      const [program, ...args] = [...launcher(), 'ip', 'netns', 'exec', host.namespace, ...command()]
      child = spawn(program!, args, {
        env: { ...process.env, ...environment },
        stdio: ['ignore', file, file],
      })
      closeSync(file)
      await answering(`${origin}${readyPath}`, child)
    },
    async stop(signal) {
      if (!child || hasEnded(child)) return
      const gone = once(child, 'exit')
      child.kill(signal)
      await gone
    },
    async ended() {
      if (child && !hasEnded(child)) await once(child, 'exit')
    },
    pid: () => (child && !hasEnded(child) ? child.pid : undefined),
    freeze() {
      child?.kill('SIGSTOP')
      return () => child?.kill('SIGCONT')
    },
  }
}

async function answering(url: string, child: ChildProcess): Promise<void> {
  for (const end = Date.now() + READY_MS; Date.now() < end; await sleep(50)) {
    if (hasEnded(child)) throw new Error(`The program behind ${url} has ended.`)
    const answer = await fetch(url, { signal: AbortSignal.timeout(1_000) }).catch(() => undefined)
    await answer?.body?.cancel()
    if (answer?.ok) return
  }
  throw new Error(`${url} was not ready within ${READY_MS / 1000} s.`)
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null

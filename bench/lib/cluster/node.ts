/** A program on a separate address: start, kill, and restart with its data. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Node {
  readonly name: string
  readonly origin: string
  /** Resolves when the program reports ready. Throws with the end of its log when it exits before, or after five minutes. */
  start(): Promise<void>
  /** Resolves when the program has exited. */
  stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>
}

export interface Program {
  port: number
  /** Called at each start with the address to listen on. */
  command(address: string): readonly string[]
  environment?: Record<string, string>
  /** Path, or port and path, that responds with 2xx when the program is ready. */
  ready: string
}

interface Place {
  name: string
  /** Path of the file with its output. */
  log: string
}

/** PGlite makes its files at the first start. A busy machine takes minutes for this. */
const READY_MS = 300_000

/** Characters of a log that an error shows. */
const TAIL = 2_000

const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null

export function nodeOf(address: string, program: Program, { name, log }: Place): Node {
  const origin = `http://${address}:${program.port}`
  const readyUrl = program.ready.startsWith(':')
    ? `http://${address}${program.ready}`
    : `${origin}${program.ready}`
  let child: ChildProcess | undefined
  return {
    name,
    origin,
    async start() {
      const file = openSync(log, 'a')
      const [command, ...args] = program.command(address)
      const env = { ...process.env, ...program.environment }
      child = spawn(command!, args, { env, stdio: ['ignore', file, file] })
      closeSync(file)
      await answering(readyUrl, child).catch(({ message }: Error) => {
        throw new Error(`${name}: ${message} Its log ends with:\n${readFileSync(log, 'utf8').slice(-TAIL)}`)
      })
    },
    async stop(signal) {
      if (!child || hasEnded(child)) return
      const gone = once(child, 'exit')
      child.kill(signal)
      await gone
    },
  }
}

async function answering(url: string, child: ChildProcess) {
  for (const end = Date.now() + READY_MS; Date.now() < end; await sleep(50)) {
    if (hasEnded(child))
      throw new Error(`The program behind ${url} has ended (${child.signalCode ?? child.exitCode}).`)
    const answer = await fetch(url, { signal: AbortSignal.timeout(1_000) }).catch(() => undefined)
    await answer?.body?.cancel()
    if (answer?.ok) return
  }
  throw new Error(`${url} was not ready within ${READY_MS / 1000} s.`)
}

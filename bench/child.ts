/** A script in a separate process: with its own memory, and without slowing down the measurement. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'

interface Child<Message> {
  /** The next message. Rejects when the process ends without one. */
  next(): Promise<Message>
  /** Tells the process to finish: `isStopped` of its task becomes true. */
  stop(): void
}

/** Starts the script. Its output goes to stderr. */
export function startChild<Message>(script: URL, task: object): Child<Message> {
  const file = fileURLToPath(script)
  const child = fork(file, [JSON.stringify(task)], { stdio: ['ignore', 2, 'inherit', 'ipc'] })
  const exited = once(child, 'exit').then(([code]) => {
    throw new Error(`${basename(file)} ended with ${code}.`)
  })
  exited.catch(() => {})
  return {
    next: () => Promise.race([once(child, 'message').then(([message]) => message as Message), exited]),
    stop: () => void child.send('stop'),
  }
}

interface Task<Given> {
  given: Given
  /** Aborted when the parent stops the process. */
  stopped: AbortSignal
  send(message: object): void
  /** Sends the last message and exits. */
  finish(message: object): void
}

/** For the script: its task. It ends with its parent. */
export function childTask<Given>(): Task<Given> {
  const stopped = new AbortController()
  process.once('message', () => stopped.abort())
  process.once('disconnect', () => process.exit(1))
  return {
    given: JSON.parse(process.argv[2] ?? '{}'),
    stopped: stopped.signal,
    send: message => void process.send!(message),
    finish: message => void process.send!(message, () => process.exit(0)),
  }
}

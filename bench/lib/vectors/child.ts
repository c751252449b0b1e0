/** Runs a task in a child process and returns its result. */
import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'

export interface Child<Answer> {
  process: ChildProcess
  /** Rejects when the process ends without a result. */
  answer: Promise<Answer>
}

/** Starts a script of this folder. Other output of the process goes to stderr. */
export function startChild<Answer>(script: string, task: object): Child<Answer> {
  const child = fork(join(import.meta.dirname, script), [JSON.stringify(task)], {
    stdio: ['ignore', 2, 'inherit', 'ipc'],
  })
  const answer = new Promise<Answer>((resolve, reject) => {
    child.once('message', message => resolve(message as Answer))
    child.once('exit', code => reject(new Error(`${script} ended with ${code} before it answered.`)))
  })
  return { process: child, answer }
}

/** For the child: reads its task. */
export const task = <Task>(): Task => JSON.parse(process.argv[2] ?? '{}')

/** For the child: sends its result and exits. */
export const respond = (answer: object): void => {
  process.send!(answer, () => process.exit(0))
}

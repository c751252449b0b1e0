/** The thread of typed.ts: runs the command of each message, as `mien.js` does in a process. */
import { Readable } from 'node:stream'
import { type MessagePort, workerData } from 'node:worker_threads'
import { mienProgram } from '#commands/program.ts'
import { runProgram } from '#commands/terminal/command-line.ts'
import type { Ended, Typed } from './typed.ts'

const { ended, port } = workerData as { ended: Int32Array; port: MessagePort }

const printed = { stdout: '', stderr: '' }
for (const name of ['stdout', 'stderr'] as const)
  process[name].write = text => {
    printed[name] += Buffer.from(text as string).toString()
    return true
  }

// Threads cannot set the mask: the caller sets the mask of the process.
process.umask = () => 0

function end(status: number, isThreadOver: boolean) {
  port.postMessage({ status, ...printed, isThreadOver } satisfies Ended)
  Atomics.store(ended, 0, 1)
  Atomics.notify(ended, 0)
}

process.on('exit', code => end(code, true))

port.on('message', async ({ args, env, input }: Typed) => {
  Object.assign(printed, { stdout: '', stderr: '' })
  for (const name of Object.keys(process.env)) delete process.env[name]
  for (const [name, value] of Object.entries(env)) if (value !== undefined) process.env[name] = value
  Object.defineProperty(process, 'stdin', { value: Readable.from([Buffer.from(input)]), configurable: true })
  process.exitCode = undefined
  await runProgram(await mienProgram(args), args)
  for (const stream of [process.stdout, process.stderr]) stream.removeAllListeners('error')
  for (const signal of ['SIGINT', 'SIGTERM']) process.removeAllListeners(signal)
  end(Number(process.exitCode ?? 0), false)
})

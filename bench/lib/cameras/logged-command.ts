/** A `mien` command that runs until it is ended and logs a line of JSON for each event. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const MIEN = join(import.meta.dirname, '..', '..', '..', 'commands', 'mien.js')

export interface Line {
  event: string
  [fact: string]: unknown
}

export interface LoggedCommand {
  pid: number
  /** Sends the signal. Resolves when the process has ended and its lines are read. */
  stop(signal: NodeJS.Signals): Promise<void>
}

export function startLogged(
  args: readonly string[],
  env: Record<string, string>,
  onLine: (line: Line) => void,
): LoggedCommand {
  const child = spawn(process.execPath, [MIEN, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const closed = new Promise<void>(resolve => child.once('close', () => resolve()))
  createInterface({ input: child.stdout }).on('line', line => onLine(JSON.parse(line)))
  return {
    pid: child.pid!,
    stop(signal) {
      child.kill(signal)
      return closed
    },
  }
}

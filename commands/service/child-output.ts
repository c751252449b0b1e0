/** Where the output of core and the edge goes when `npm start` runs in a terminal: log lines to a file, sentences to the person. */
import { logPath, openLogFile } from './log-file.ts'

export interface ChildOutput {
  /** Takes each line that a child prints. */
  onLine(line: string): void
  /** The log file; undefined where log lines go to standard output. */
  log: string | undefined
}

/**
 * Undefined where no stream is a terminal: children then print where the launcher does. Otherwise lines of JSON go to
 * `<data>/log/mien.log`, or to standard output where that is no terminal. Other lines go to standard error.
 */
export function childOutput(data: string): ChildOutput | undefined {
  if (!process.stdout.isTTY && !process.stderr.isTTY) return undefined
  const log = process.stdout.isTTY ? logPath(data) : undefined
  const write = log ? openLogFile(log) : (line: string) => void process.stdout.write(`${line}\n`)
  return {
    log,
    onLine(line) {
      const facts = factsOf(line)
      if (facts) write(line)
      const sentence = facts ? facts.warning : line
      if (typeof sentence === 'string') process.stderr.write(`${sentence}\n`)
    },
  }
}

/** What a line of the log says; undefined for any other line. */
function factsOf(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith('{')) return undefined
  try {
    return JSON.parse(line) as Record<string, unknown>
  } catch {
    return undefined
  }
}

/** Routes the output of core and edge under `npm start` in a terminal: log lines to a file, messages to the person. */
import { logPath, openLogFile } from './log-file.ts'

export interface ChildOutput {
  /** Called with each line that a child prints. */
  onLine(line: string): void
  /** Path of the log file; undefined when log lines go to standard output. */
  log: string | undefined
}

/**
 * Undefined when no stream is a terminal: children then inherit the launcher's streams. Otherwise lines of JSON go to
 * `<data>/log/mien.log`, or to standard output when that is not a terminal. Other lines, and the warnings of log lines,
 * go to standard error.
 */
export function childOutput(data: string): ChildOutput | undefined {
  if (!process.stdout.isTTY && !process.stderr.isTTY) return undefined
  const log = process.stdout.isTTY ? logPath(data) : undefined
  const write = log ? openLogFile(log) : (line: string) => void process.stdout.write(`${line}\n`)
  return {
    log,
    onLine(line) {
      const fields = fieldsOf(line)
      if (fields) write(line)
      const sentence = fields ? fields.warning : line
      if (typeof sentence === 'string') process.stderr.write(`${sentence}\n`)
    },
  }
}

/** The fields of a log line; undefined for any other line. */
function fieldsOf(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith('{')) return undefined
  try {
    return JSON.parse(line) as Record<string, unknown>
  } catch {
    return undefined
  }
}

/** Routes the output of core and edge under `mien start` in a terminal: log lines to a bounded file, messages to the person. */
import { chmodSync, closeSync, fstatSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { jsonIn } from '../terminal/command-line.ts'

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
  const log = process.stdout.isTTY ? join(data, 'log', 'mien.log') : undefined
  const write = log ? openLogFile(log) : (line: string) => void process.stdout.write(`${line}\n`)
  return {
    log,
    onLine(line) {
      const fields = line.startsWith('{') ? (jsonIn(line) as { warning?: unknown } | undefined) : undefined
      if (fields) write(line)
      const sentence = fields ? fields.warning : line
      if (typeof sentence === 'string') process.stderr.write(`${sentence}\n`)
    },
  }
}

/** Bytes of the log file. One older file of this size is kept. */
const LOG_BYTES = 10_000_000

/**
 * Opens the file for appending, and returns a function that writes a line. A file that would exceed `limit` bytes is
 * renamed to `<path>.1`, which replaces the previous one. A line that cannot be written, for example on a full disk, is
 * dropped: the service continues.
 */
export function openLogFile(path: string, limit: number = LOG_BYTES): (line: string) => void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  let file = openLog(path)
  return line => {
    const bytes = Buffer.from(`${line}\n`)
    try {
      if (file.size > 0 && file.size + bytes.length > limit) file = replaced(path, file.descriptor)
      file.size += writeSync(file.descriptor, bytes)
    } catch {
      // The line is dropped.
    }
  }
}

interface LogFile {
  descriptor: number
  size: number
}

function openLog(path: string): LogFile {
  const descriptor = openSync(path, 'a', 0o600)
  chmodSync(path, 0o600)
  return { descriptor, size: fstatSync(descriptor).size }
}

function replaced(path: string, descriptor: number): LogFile {
  renameSync(path, `${path}.1`)
  const next = openLog(path)
  closeSync(descriptor)
  return next
}

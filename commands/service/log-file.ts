/** The log file of `npm start`: bounded in size, with one older file beside it, readable only by its owner. */
import { chmodSync, closeSync, fstatSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { LIMITS } from '../../contract/limits.ts'

/** Path of the log file in the data folder. */
export const logPath = (data: string): string => join(data, 'log', 'mien.log')

/**
 * Opens the file for appending, and returns a function that writes a line. A file that would exceed `limit` bytes is
 * renamed to `<path>.1`, which replaces the previous one. A line that cannot be written, for example on a full disk, is
 * dropped: the service continues.
 */
export function openLogFile(path: string, limit: number = LIMITS.logBytes): (line: string) => void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  let file = opened(path)
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

function opened(path: string): LogFile {
  const descriptor = openSync(path, 'a', 0o600)
  chmodSync(path, 0o600)
  return { descriptor, size: fstatSync(descriptor).size }
}

function replaced(path: string, descriptor: number): LogFile {
  renameSync(path, `${path}.1`)
  const next = opened(path)
  closeSync(descriptor)
  return next
}

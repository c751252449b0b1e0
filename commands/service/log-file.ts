/** The log file of `npm start`: bounded in size, with one older file beside it, readable by its owner only. */
import { chmodSync, closeSync, fstatSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { LIMITS } from '../../core/contract/limits.ts'

/** In the data folder. */
export const logPath = (data: string): string => join(data, 'log', 'mien.log')

/**
 * Opens the file for appending, and gives what writes a line to it. A file that would grow beyond `limit` bytes becomes
 * `<path>.1`, in place of the one before. A line that can't be written, as on a full disk, is lost: the service goes on.
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
      // Nothing better could be done with this line.
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

/** Opens a list of photos (a folder, a CSV file or JSON lines), checks it before anything is sent, and reads its photos. */

import { stat } from 'node:fs/promises'
import { dirname, extname } from 'node:path'
import { hashOf, keyOf } from '../../clients/typescript/src/enrolment.ts'
import { FileRefused, openRegular, readPhotoFile } from '../terminal/bounded-file.ts'
import { UsageError } from '../terminal/command-line.ts'
import { folderRows } from './folder.ts'
import { type CsvSettings, csvRows, jsonLinesRows, LineError } from './list-file.ts'
import type { Entry, FieldDefaults, Problem, Row } from './row.ts'

interface ListSettings extends CsvSettings {
  defaults: FieldDefaults
  /** Pattern of the relative paths. Folders only. */
  pattern?: string
  /** Whether links below the folder of the list may lead out of it. */
  followLinks?: boolean
}

export interface PhotoList {
  /** Absolute path. */
  path: string
  /** Folder that relative files refer to. */
  base: string
  /** Folder that links below it do not leave. Absent: links are followed. */
  folder?: string
  /** Reads the list from its beginning. */
  entries(): AsyncGenerator<Entry>
}

/** Throws UsageError for a path that is neither a folder nor a list, and for a setting that this kind of list does not have. */
export async function openList(path: string, settings: ListSettings): Promise<PhotoList> {
  const found = await stat(path).catch(() => undefined)
  if (!found) throw new UsageError(`There is no folder or list ${path}.`)
  const kind = found.isDirectory() ? 'folder' : extname(path).toLowerCase()
  const { defaults, pattern, followLinks = false, ...csv } = settings
  if (kind !== 'folder' && pattern !== undefined) throw new UsageError('Only a folder takes --pattern.')
  if (kind !== '.csv' && Object.values(csv).some(value => value !== undefined))
    throw new UsageError('Only a CSV list takes --column, --ignore-column and --delimiter.')
  const opened = (base: string, entries: PhotoList['entries']): PhotoList => ({
    path,
    base,
    entries,
    ...(!followLinks && { folder: base }),
  })
  switch (kind) {
    case 'folder':
      return opened(path, () => folderRows(path, defaults, pattern))
    case '.csv':
      return opened(dirname(path), () => csvRows(path, defaults, csv))
    case '.jsonl':
      return opened(dirname(path), () => jsonLinesRows(path, defaults))
    default:
      throw new UsageError(`${path} is neither a folder nor a list: expected a file .csv or .jsonl.`)
  }
}

export type CheckedList = Awaited<ReturnType<typeof checkList>>

/** Problems that are kept and shown. */
const SHOWN_PROBLEMS = 20

/** A row whose photo is there, with the bytes of the photo, or a problem. */
type CheckedEntry = { row: Row; bytes: number } | { problem: Problem; row?: never }

/** Reads the list once. Throws LineError where its rest cannot be read. */
export async function* checkedEntries(list: PhotoList): AsyncGenerator<CheckedEntry> {
  for await (const entry of list.entries()) {
    const size = entry.row && (await sizeOf(entry.row, list.folder))
    if (typeof size === 'number') yield { row: entry.row!, bytes: size }
    else yield { problem: size ?? entry.problem! }
  }
}

/** Reads the list once. `onRow` receives every row that can be enrolled. */
export async function checkList(list: PhotoList, onRow: (row: Row) => void = () => {}) {
  const checked = {
    /** Rows that can be enrolled, and bytes of their photos. */
    photos: 0,
    bytes: 0,
    /** False: the rest of the list cannot be read. How many rows it has is unknown. */
    isReadable: true,
    /** Galleries that the rows name. */
    galleries: new Set<string>(),
    /** The first problems, at most SHOWN_PROBLEMS, and the number of all. */
    problems: [] as Problem[],
    problemCount: 0,
  }
  const report = (problem: Problem) => {
    checked.problemCount++
    if (checked.problems.length < SHOWN_PROBLEMS) checked.problems.push(problem)
  }
  try {
    for await (const entry of checkedEntries(list)) {
      if (!entry.row) {
        report(entry.problem)
        continue
      }
      checked.photos++
      checked.bytes += entry.bytes
      for (const gallery of entry.row.galleries) checked.galleries.add(gallery)
      onRow(entry.row)
    }
  } catch (error) {
    if (!(error instanceof LineError)) throw error
    checked.isReadable = false
    report({ line: error.line, reason: error.message })
  }
  return checked
}

/** Bytes of a photo, or the problem of a file that cannot be used. */
async function sizeOf({ path, line, name }: Row, folder: string | undefined): Promise<number | Problem> {
  try {
    const file = await openRegular(path, folder)
    const { size } = await file.stat().finally(() => file.close())
    return size
  } catch (error) {
    return { line, name, reason: fileProblem(error) }
  }
}

/** Why a file cannot be read, as a sentence. Rethrows errors that are not about the file. */
function fileProblem(error: unknown) {
  if (error instanceof FileRefused) return error.message
  if (!(error instanceof Error && 'code' in error)) throw error
  return error.code === 'ENOENT' ? 'There is no such file.' : `The file cannot be read: ${error.code}.`
}

/** A problem as one line of text, with its place. */
export const problemText = ({ line, name, reason }: Problem): string =>
  [...(line ? [`line ${line}`] : []), ...(name ? [JSON.stringify(name)] : []), reason].join(': ')

export interface Photo {
  row: Row
  /** SHA-256 of the file, hexadecimal: the `photo_hash` of the service. Empty for a file that cannot be read. */
  hash: string
  /** Idempotency-Key: photos of equal keys are one enrolment. */
  key: string
  /** The file, or a sentence that says why it cannot be sent. */
  file: Uint8Array<ArrayBuffer> | string
}

/** Reads the photo of a row. With `folder`, links do not lead out of it. */
export async function readPhoto(row: Row, folder?: string): Promise<Photo> {
  const { meta, galleries, camera, time, selector } = row
  const file = await readPhotoFile(row.path, folder).catch(fileProblem)
  const hash = typeof file === 'string' ? '' : await hashOf(file)
  // The person follows from these fields. Without it in the key, jobs of earlier versions continue.
  const key = await keyOf('mien-enrol', hash, meta, galleries, camera, time, selector)
  return { row, hash, file, key }
}

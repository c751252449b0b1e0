/** Opens a list of photos: a folder, a CSV file or a file of JSON lines. */
import { stat } from 'node:fs/promises'
import { dirname, extname } from 'node:path'
import { UsageError } from '../../terminal/usage-error.ts'
import { type CsvSettings, csvRows } from './csv.ts'
import { folderRows } from './folder.ts'
import { jsonLinesRows } from './json-lines.ts'
import type { Entry, FieldDefaults } from './row.ts'

export interface ListSettings extends CsvSettings {
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
  entries(): AsyncIterable<Entry>
}

/** Throws UsageError for a path that is neither a folder nor a list, and for a setting that its kind does not take. */
export async function openList(path: string, settings: ListSettings): Promise<PhotoList> {
  const found = await stat(path).catch(() => undefined)
  if (!found) throw new UsageError(`There is no folder or list ${path}.`)
  const kind = found.isDirectory() ? 'folder' : extname(path).toLowerCase()
  const { defaults, pattern, followLinks = false, ...csv } = settings
  if (kind !== 'folder' && pattern !== undefined) throw new UsageError('Only a folder takes --pattern.')
  if (kind !== '.csv' && Object.values(csv).some(value => value !== undefined))
    throw new UsageError('Only a CSV list takes --column, --ignore-column and --delimiter.')
  const opened = (base: string, entries: PhotoList['entries']): PhotoList => ({
    ...{ path, base, entries },
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

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
}

export interface PhotoList {
  /** Absolute path. */
  path: string
  /** Folder that relative files refer to. */
  base: string
  /** Reads the list from its beginning. */
  entries(): AsyncIterable<Entry>
}

/** Throws UsageError for a path that is neither a folder nor a list, and for a setting that its kind does not take. */
export async function openList(path: string, settings: ListSettings): Promise<PhotoList> {
  const found = await stat(path).catch(() => undefined)
  if (!found) throw new UsageError(`There is no folder or list ${path}.`)
  const kind = found.isDirectory() ? 'folder' : extname(path).toLowerCase()
  const { defaults, pattern, ...csv } = settings
  if (kind !== 'folder' && pattern !== undefined) throw new UsageError('Only a folder takes --pattern.')
  if (kind !== '.csv' && Object.values(csv).some(value => value !== undefined))
    throw new UsageError('Only a CSV list takes --column, --ignore-column and --delimiter.')
  switch (kind) {
    case 'folder':
      return { path, base: path, entries: () => folderRows(path, defaults, pattern) }
    case '.csv':
      return { path, base: dirname(path), entries: () => csvRows(path, defaults, csv) }
    case '.jsonl':
      return { path, base: dirname(path), entries: () => jsonLinesRows(path, defaults) }
    default:
      throw new UsageError(`${path} is neither a folder nor a list: expected a file .csv or .jsonl.`)
  }
}

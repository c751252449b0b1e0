/** Files that the visitor drops or chooses. */
import type { Box } from '../../clients/typescript/src/index.ts'
import { TEXTS } from '../texts.ts'

/** Largest photo in bytes. The browser makes photos smaller that the service does not take. */
const MOST_BYTES = 25 * 2 ** 20

const TYPES = ['image/jpeg', 'image/png', 'image/webp']
const HEIC_TYPES = ['image/heic', 'image/heif']

/** The types of photos, for the file dialog. */
export const ACCEPTED_TYPES = [...TYPES, ...HEIC_TYPES].join()

/** Many systems know no type of HEIC. */
export const isHeic = ({ name, type }: Pick<File, 'name' | 'type'>): boolean =>
  HEIC_TYPES.includes(type) || /\.hei[cf]$/i.test(name)

/** A sentence that says why the file is refused; undefined for a photo. */
export function faultOf(file: Pick<File, 'name' | 'type' | 'size'>): string | undefined {
  if (file instanceof UnreadableFile) return TEXTS.errors.unreadable(file.name)
  // Hidden files of macOS have the names and types of the photos beside them.
  if (file.name.startsWith('.')) return TEXTS.errors.hidden(file.name)
  if (!TYPES.includes(file.type) && !isHeic(file)) return TEXTS.errors.notAPhoto(file.name)
  return file.size > MOST_BYTES ? TEXTS.errors.tooLarge(file.name) : undefined
}

/** Stands for a dropped file that the browser cannot read. */
class UnreadableFile extends File {}

/** A file with its path below the chosen folder; the path of a single file is its name. */
export interface FoundFile {
  file: File
  path: string
  /** The face to enrol, if the user has chosen one of several. */
  face?: Box
}

/** A file that is not sent, and a sentence that says why. */
export interface SkippedFile {
  path: string
  reason: string
}

/** The name of the folder that a file is in; "" for a file without a folder. */
export const folderOf = (path: string): string => path.split('/').at(-2) ?? ''

/** Files of an input. */
export const chosenFiles = (list: FileList | null): FoundFile[] =>
  [...(list ?? [])].map(file => ({ file, path: file.webkitRelativePath || file.name }))

/** Files of a drop, and files of dropped folders at any depth. Reads the transfer at once: it is empty after the event. */
export async function droppedFiles(transfer: DataTransfer): Promise<FoundFile[]> {
  const entries = [...transfer.items].map(item => item.webkitGetAsEntry()).filter(entry => entry !== null)
  if (entries.length === 0) return chosenFiles(transfer.files)
  const found: FoundFile[] = []
  for (const entry of entries) for await (const file of filesBelow(entry)) found.push(file)
  return found
}

/** Files and folders that the browser cannot read are there, too, as `UnreadableFile`. */
async function* filesBelow(entry: FileSystemEntry): AsyncGenerator<FoundFile> {
  const path = entry.fullPath.replace(/^\//, '')
  const unreadable = { file: new UnreadableFile([], entry.name), path }
  if (entry.isFile) {
    yield await new Promise<FoundFile>(resolve =>
      (entry as FileSystemFileEntry).file(
        file => resolve({ file, path }),
        () => resolve(unreadable),
      ),
    )
    return
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  // The reader returns some entries per call, and none at the end.
  for (;;) {
    const some = await new Promise<FileSystemEntry[] | undefined>(resolve =>
      reader.readEntries(resolve, () => resolve(undefined)),
    )
    if (!some) yield unreadable
    if (!some?.length) return
    for (const one of some) yield* filesBelow(one)
  }
}

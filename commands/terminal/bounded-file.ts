/** Reads files that the user names, up to a bound. */
import { constants } from 'node:fs'
import { type FileHandle, open, realpath } from 'node:fs/promises'
import { basename, sep } from 'node:path'
import { PHOTO_LIMITS } from '../../contract/limits/photos.ts'
import { UsageError } from './command-line.ts'
import { pathOf } from './paths.ts'

/** A file that is not read. The message is a sentence without the path. */
export class FileRefused extends Error {
  override readonly name = 'FileRefused'
}

/**
 * Opens a regular file. With `folder`, links do not lead out of it. The kind of file is checked on the open file; a pipe without a
 * writer does not block. Throws FileRefused, and errors of the system.
 */
export async function openRegular(path: string, folder?: string): Promise<FileHandle> {
  if (folder !== undefined && path.startsWith(folder + sep) && !(await isInFolder(path, folder)))
    throw new FileRefused('The file is a link out of the folder. --follow-links reads it.')
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  if ((await file.stat()).isFile()) return file
  await file.close()
  throw new FileRefused('It is not a regular file.')
}

/** Whether a file is below a folder, with all links resolved. Both exist. */
export async function isInFolder(path: string, folder: string): Promise<boolean> {
  const [real, root] = await Promise.all([realpath(path), realpath(folder)])
  return real.startsWith(root.endsWith(sep) ? root : root + sep)
}

/** The bytes of an open file, which is closed. Throws FileRefused for more than `most` bytes. */
export const bytesIn = (file: FileHandle, most: number): Promise<Uint8Array<ArrayBuffer>> =>
  bytesOf(file.createReadStream(), most)

/** A file may grow, and a device has no size: each read is bounded. */
async function bytesOf(stream: AsyncIterable<Buffer>, most: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of stream) {
    chunks.push(chunk)
    length += chunk.length
    if (length > most) throw new FileRefused(`The file has more than ${sizeText(most)}.`)
  }
  return new Uint8Array(Buffer.concat(chunks))
}

/** A photo that the user names. Throws FileRefused, and errors of the system. */
export const readPhotoFile = async (path: string, folder?: string): Promise<Uint8Array<ArrayBuffer>> =>
  bytesIn(await openRegular(path, folder), PHOTO_LIMITS.bytes)

/** Whether a photo is a URL, which the service fetches. */
export const isUrl = (photo: string): boolean => /^(?:https?:|data:)/i.test(photo)

/** A photo as the client takes it; "-" is standard input. Throws errors for a file that is not read. */
export async function photoOf(photo: string): Promise<string | File> {
  if (isUrl(photo)) return photo
  const reading = photo === '-' ? bytesOf(process.stdin, PHOTO_LIMITS.bytes) : readPhotoFile(pathOf(photo))
  const bytes = await reading.catch(error => {
    throw error instanceof FileRefused ? new Error(`${photo}: ${error.message}`, { cause: error }) : error
  })
  return new File([bytes], basename(photo))
}

/** Longest secret or setting in bytes. */
const TEXT_BYTES = 2 ** 20

/** The text of a small file of any kind that an option names; "-" is standard input. Throws UsageError. */
export async function textIn(option: string, path: string, env?: NodeJS.ProcessEnv): Promise<string> {
  const absolute = pathOf(path, env)
  try {
    const bytes =
      path === '-' ? bytesOf(process.stdin, TEXT_BYTES) : bytesIn(await open(absolute), TEXT_BYTES)
    return new TextDecoder().decode(await bytes)
  } catch (error) {
    if (error instanceof FileRefused) throw new UsageError(`${option} names ${path}. ${error.message}`)
    throw new UsageError(`${option} names ${absolute}, which cannot be read.`, { cause: error })
  }
}

const sizeText = (bytes: number) => (bytes < 2 ** 20 ? `${bytes / 2 ** 10} KB` : `${bytes / 2 ** 20} MB`)

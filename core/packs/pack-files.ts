/** The files of a pack: their states, their download, and the choice of the pack. */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { PACK_LIMITS } from '../../contract/limits/packs.ts'
import type { PulledFile } from '../../models/file-entry.ts'
import { type PlacedFile, readerOf } from '../../models/files.ts'
import { CHOICE, type PlacedPack } from '../../models/packs.ts'
import { embedderLabel } from '../embedding/label.ts'
import { makeFolder, syncFolder, writeWhole } from '../files/durable.ts'
import { ignoreCode } from '../files/inspect.ts'
import { download } from './download.ts'

export type FileState = 'verified' | 'missing' | 'damaged'

/** The state of each file of the pack, by name. Reads every byte. */
export async function statesOf({
  files,
}: Pick<PlacedPack, 'files'>): Promise<[file: string, state: FileState][]> {
  const read = readerOf(files)
  return Promise.all(
    Object.entries(files).map(async ([file, { path }]) => {
      if (!(await stat(path).catch(ignoreCode('ENOENT')))) return [file, 'missing']
      return read(file).then(
        () => [file, 'verified'],
        () => [file, 'damaged'],
      )
    }),
  )
}

/** The files of the pack that are missing or damaged, with their states. */
export const wrongFiles = async (
  pack: Pick<PlacedPack, 'files'>,
): Promise<[file: string, state: FileState][]> =>
  (await statesOf(pack)).filter(([, state]) => state !== 'verified')

export const isPulled = (file: PlacedFile): file is PlacedFile & PulledFile => 'url' in file

/**
 * Downloads a file of a pack; durable and verified when it resolves. Throws an Error for the operator. Downloaded bytes stay for
 * the next attempt.
 */
export async function pullFile(
  name: string,
  file: PlacedFile & PulledFile,
  onProgress: (bytes: number) => void,
): Promise<void> {
  if (file.bytes > PACK_LIMITS.modelBytes)
    throw new Error(`${name} has more than ${PACK_LIMITS.modelBytes} bytes.`)
  await download(file, { path: file.path, onProgress })
}

/** Chooses the pack; durable when it resolves. Edges of 0.2 on the same folder read the embedder. */
export async function choosePack(data: string, pack: PlacedPack): Promise<void> {
  await makeFolder(data)
  const choice = Buffer.from(`${JSON.stringify({ pack: pack.name, embedder: embedderLabel(pack) })}\n`)
  await writeWhole(join(data, CHOICE), choice, data)
  await syncFolder(data)
}

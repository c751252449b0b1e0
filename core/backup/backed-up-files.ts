/** The files of a data folder that a backup copies as they are, and what forbids a backup of the folder. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { KEY_FILE } from '../encryption/key-file.ts'
import { filesAtDepth, ignoreCode } from '../files/inspect.ts'
import { INSTALLATION } from '../files/record.ts'
import { PICTURES_MARK } from '../pictures/open.ts'
import { servedNumber } from '../vector-store/generation.ts'
import { LOCAL, recordedLayout } from '../vector-store/sharding/layout.ts'
import { MADE_SHARDS } from '../vector-store/sharding/recorded-shards.ts'
import { BackupRefused } from './contents.ts'

/** For `catch`: ignores missing files. */
const missing = ignoreCode('ENOENT')

/** Tolerance for a clock that was set back while faces were enrolled. */
export const SKEW_MS = 3_600_000

/** Small files of an installation. Missing ones are skipped. */
export const SMALL_FILES = [
  KEY_FILE,
  INSTALLATION,
  'secrets.json',
  'token',
  'facenapi.ini',
  'pack.json',
  'vectors/layout.json',
  'vectors/generation.json',
  `vectors/${MADE_SHARDS}`,
  PICTURES_MARK,
]

/** Rejects a folder with remote shards: its copy would lack their vectors and still count as complete. */
export async function refuseRemoteShards(data: string): Promise<void> {
  const layout = (await recordedLayout(join(data, 'vectors'))) ?? []
  if (layout.every(({ address }) => address === LOCAL)) return
  throw new BackupRefused(
    'Some of the vectors are in PostgreSQL or in other cores. Stop the service and copy the data folder, then back these up by themselves: ' +
      'in this order. Or move the vectors out: mien store export.',
  )
}

/** Returns a check, for the end of a backup, that the folder or its copy has the same pack and key file as `data` now. */
export async function unchangedSince(data: string): Promise<(folder: string) => Promise<void>> {
  const stateOf = async (folder: string) => ({
    generation: await servedNumber(join(folder, 'vectors')).catch(missing),
    keyFile: await readFile(join(folder, KEY_FILE), 'utf8').catch(missing),
  })
  const before = await stateOf(data)
  return async folder => {
    const after = await stateOf(folder)
    if (after.generation !== before.generation)
      throw new BackupRefused('The vectors were converted to another pack during the backup. Try again.')
    if (after.keyFile !== before.keyFile)
      throw new BackupRefused('The encryption was changed during the backup. Try again.')
  }
}

/** Paths of the files of installed packs in their folder. Vectors cannot be used without their pack. */
export async function* packFiles(packs: string): AsyncIterable<string> {
  for await (const file of filesAtDepth(packs, 1)) if (/\.(onnx|json)$/.test(file)) yield file
}

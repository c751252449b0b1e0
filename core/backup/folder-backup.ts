/** Makes a backup in a folder: a consistent, plain copy of a data folder, while the service runs or is stopped. See repository/ for incremental ones. */
import { copyFile, cp, mkdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { leastIdSince } from '../../contract/ids.ts'
import { SITE_FILE } from '../configuration/removed-features.ts'
import { type DataKey, databaseKey } from '../encryption/encrypt.ts'
import { KEY_FILE } from '../encryption/key-file.ts'
import { syncFolder, writeWhole } from '../files/durable.ts'
import { filesAtDepth, ignoreCode } from '../files/inspect.ts'
import { INSTALLATION } from '../files/record.ts'
import { snapshot } from '../files/sqlite.ts'
import { PICTURES_MARK, picturesOf } from '../pictures/open.ts'
import type { PictureStore } from '../pictures/pictures.ts'
import { servedNumber, servedShards } from '../vector-store/generation.ts'
import { ROWS } from '../vector-store/shard/shard-open.ts'
import { LOCAL, recordedLayout } from '../vector-store/sharding/layout.ts'
import { MADE_SHARDS } from '../vector-store/sharding/recorded-shards.ts'
import { forgetIndexes, reconcileCopy, removeUnknownFaces } from './complete-copy.ts'
import { BackupRefused, CONTENTS, type Contents, describeFiles, syncAll } from './contents.ts'

/** Settings of a backup. */
interface BackupSettings {
  /** The data folder. */
  data: string
  /** Folder of the backup. It must not exist. It is written as `<target>.partial` until it is complete. */
  target: string
  /** Label of the embedder (embedding/label.ts). */
  embedder: string
  /** Data key of the data folder and of its copy. */
  dataKey?: DataKey | undefined
  /** Pictures of the data folder. Required if they are in a bucket. */
  pictures?: Pick<PictureStore, 'copyTo'>
  /** Whether snapshots and clips are part of the backup. */
  moments?: boolean | undefined
  /** Unix milliseconds. */
  now: number
  /** Receives each step before it starts. */
  onStep?: (step: BackupStep) => void | Promise<void>
}

export type BackupStep = 'metadata' | 'vectors' | 'pictures' | 'checksums' | 'rename' | 'done'

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
  SITE_FILE,
  'pack.json',
  'vectors/layout.json',
  'vectors/generation.json',
  `vectors/${MADE_SHARDS}`,
  PICTURES_MARK,
]

/**
 * Resolves when the backup is durable. Pictures of a bucket become files. Rejects with BackupRefused and PicturesUnavailable.
 * The backup does not contain faces that are enrolled or deleted meanwhile: metadata, vectors and pictures are copied in this
 * order; then data without metadata, and faces deleted during the copy, are removed from the copy.
 */
export async function backUp(settings: BackupSettings): Promise<Contents> {
  const { data, target } = settings
  await refuseExisting(target)
  await refuseRemoteShards(data)
  const partial = `${target}.partial`
  try {
    return await copyInto(partial, settings)
  } catch (error) {
    // Free the disk space for the next attempt.
    await rm(partial, { recursive: true, force: true })
    throw error
  }
}

async function copyInto(partial: string, settings: BackupSettings): Promise<Contents> {
  const { data, target, embedder, dataKey, now, moments = false, onStep } = settings
  const pictures = settings.pictures ?? (await picturesOf(data))
  const key = dataKey && databaseKey(dataKey)
  const requireUnchanged = await unchangedSince(data)
  await rm(partial, { recursive: true, force: true })
  await mkdir(join(partial, 'vectors'), { recursive: true, mode: 0o700 })
  await onStep?.('metadata')
  snapshot(join(data, 'metadata.db'), join(partial, 'metadata.db'), key)
  await onStep?.('vectors')
  for (const shard of await servedShards(join(data, 'vectors'))) {
    const rows = join('vectors', shard, ROWS)
    await mkdir(join(partial, dirname(rows)), { recursive: true, mode: 0o700 })
    snapshot(join(data, rows), join(partial, rows))
  }
  await onStep?.('pictures')
  await pictures.copyTo(join(partial, 'pictures'), { moments })
  await copyPacks(join(data, 'packs'), join(partial, 'packs'))
  for (const file of SMALL_FILES) await copyFile(join(data, file), join(partial, file)).catch(missing)
  await requireUnchanged(partial)
  await onStep?.('checksums')
  await forgetIndexes(partial, dataKey)
  await removeUnknownFaces(partial, leastIdSince(now - SKEW_MS), dataKey)
  const faces = await reconcileCopy(partial, data, dataKey)
  const files = await describeFiles(partial)
  const made = new Date(now).toISOString()
  const contents: Contents = { format: 'mien-backup', version: 1, made, embedder, faces, files }
  await writeContents(partial, contents)
  await onStep?.('rename')
  await rename(partial, target)
  await syncFolder(dirname(target))
  await onStep?.('done')
  return contents
}

async function refuseExisting(target: string): Promise<void> {
  const found = await stat(target).catch(missing)
  if (found)
    throw new BackupRefused(
      `${target} exists already. Name a folder that does not exist, or a repository of incremental backups with --to.`,
    )
}

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
      throw new BackupRefused('The vectors were converted to another pack meanwhile. Try again.')
    if (after.keyFile !== before.keyFile)
      throw new BackupRefused('The encryption was changed meanwhile. Try again.')
  }
}

/** Paths of the files of installed packs in their folder. Vectors cannot be used without their pack. */
export async function* packFiles(packs: string): AsyncIterable<string> {
  for await (const file of filesAtDepth(packs, 1)) if (/\.(onnx|json)$/.test(file)) yield file
}

async function copyPacks(from: string, to: string): Promise<void> {
  for await (const file of packFiles(from)) {
    await mkdir(join(to, dirname(file)), { recursive: true, mode: 0o700 })
    await cp(join(from, file), join(to, file))
  }
}

/** Writes the contents file after all listed files are durable. */
async function writeContents(folder: string, contents: Contents): Promise<void> {
  await syncAll(folder, contents.files)
  const text = `${JSON.stringify(contents, null, 2)}\n`
  await writeWhole(join(folder, CONTENTS), new TextEncoder().encode(text), folder)
  await syncFolder(folder)
}

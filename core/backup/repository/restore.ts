/** Restores a backup of a repository to a data folder, and repeats later deletions. */
import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { environment } from '../../../contract/environment.ts'
import { leastIdSince } from '../../../contract/ids.ts'
import { pathBelow } from '../../../contract/stored-path.ts'
import type { DataKey } from '../../encryption/encrypt.ts'
import { EncryptionRefused, type OperatorKey, unwrapDataKey } from '../../encryption/key-file.ts'
import { diskSpaceOf } from '../../files/disk-space.ts'
import { syncFile, syncFolder, writeAll } from '../../files/durable.ts'
import { CHAIN_START } from '../../metadata/audit-log/chain.ts'
import { lastEntry } from '../../metadata/audit-log/entries.ts'
import { closeDatabase, METADATA_FILE, openDatabase } from '../../metadata/database.ts'
import { eachAtOnce } from '../../pictures/objects.ts'
import { SKEW_MS } from '../backed-up-files.ts'
import { forgetIndexes, reconcileCopy, removeUnknownFaces } from '../complete-copy.ts'
import { BackupRefused, syncAll } from '../contents.ts'
import { inRestoreFolder } from '../leftovers.ts'
import { type NewKey, rekeyFolder } from '../rekey.ts'
import { type Replayed, replayDeletions } from '../replay.ts'
import { endSignInsIn, makePrivate, refuseNonEmpty, refuseSecond } from '../restore.ts'
import { unpack } from './picture-packs.ts'
import { CONCURRENT_PIECES } from './place.ts'
import {
  type BackupList,
  type BackupRecord,
  BLOCK_BYTES,
  type FileInPieces,
  type PieceForm,
  pieceForm,
} from './record.ts'
import type { Repository } from './repository.ts'

export interface RestoreFromSettings extends NewKey {
  repository: Repository
  /** The newest backup of this time (Unix milliseconds) or before. Default: now. A later backup has the time of a wrong clock. */
  at?: number
  /** The new data folder: missing or empty. It is written in `<data>.restoring` until it is complete. */
  data: string
  /** Opens encrypted backups. */
  operatorKey: OperatorKey | undefined
  /**
   * Audit log whose deletions are repeated, as in deletion-log.ts, and the data key of its folder. It must reach the end of the
   * longest log of a backup (longestLog). When absent, this log; when null, none.
   */
  deletions?: { path: string; dataKey: DataKey | undefined } | null
  /** Receives each step before it starts. */
  onStep?: (step: RestoreFromStep) => void
}

type RestoreFromStep = 'files' | 'pictures' | 'changes' | 'deletions' | 'rename' | 'done'

export interface RestoredFrom {
  record: BackupRecord
  /** Times of backups later than the clock, without `at`. */
  future: string[]
  /** Number of faces, without deleted faces. */
  faces: number
  replayed: Replayed | undefined
  dataKey: DataKey | undefined
}

/** A backup with its list, and the key and form of its pieces. */
interface OpenBackup {
  record: BackupRecord
  list: BackupList
  form: PieceForm
  dataKey: DataKey | undefined
}

/**
 * Resolves when the data folder is complete and durable. Throws BackupRefused for a damaged backup, a data folder
 * that is not empty, or a disk that is too small; EncryptionRefused for another key; AuditLogRefused for an unusable log. The data
 * folder is unchanged after an error.
 */
export async function restoreFrom(settings: RestoreFromSettings): Promise<RestoredFrom> {
  const { repository, data, onStep } = settings
  await refuseNonEmpty(data)
  const { backups } = await repository.inventory()
  const backup = await openBackup(settings, chosenOf(backups, settings))
  const done = await inRestoreFolder(data, async (draft, scratch): Promise<RestoredFrom> => {
    await mkdir(draft, { mode: 0o700 })
    await requireSpace(draft, backup.record)
    await writeFiles(settings, backup, draft)
    onStep?.('changes')
    await writeMetadata(repository, backup, scratch)
    const since = leastIdSince(Date.parse(backup.record.made) - SKEW_MS)
    await forgetIndexes(draft, backup.dataKey)
    await removeUnknownFaces(draft, since, backup.dataKey)
    const faces = await reconcileCopy(draft, scratch, backup.dataKey)
    onStep?.('deletions')
    const replayed = await repeatDeletions(settings, backups, backup, { draft, scratch })
    await endSignInsIn(draft, backup.dataKey)
    await syncAll(draft, backup.list.files)
    await rekeyFolder(draft, backup.dataKey, settings)
    await makePrivate(draft)
    settings.signal?.throwIfAborted()
    onStep?.('rename')
    // A rename replaces an empty folder.
    await rename(draft, data)
    await syncFolder(dirname(data))
    onStep?.('done')
    const { record, dataKey } = backup
    const future = settings.at === undefined ? backups.filter(made => made > record.made) : []
    return { record, future, faces: faces - (replayed?.faces ?? 0), replayed, dataKey }
  })
  return done ?? refuseSecond(data)
}

/** The newest of these backups until `at` (Unix milliseconds). */
export const newestUntil = (backups: readonly string[], at = environment.now()): string | undefined =>
  backups.findLast(made => Date.parse(made) <= at)

/** The newest backup until `at`. Throws BackupRefused when there is none. */
function chosenOf(backups: readonly string[], { at, repository }: RestoreFromSettings) {
  const chosen = newestUntil(backups, at)
  if (chosen !== undefined) return chosen
  const { name } = repository.place
  throw new BackupRefused(
    backups[0] === undefined
      ? `There is no backup in ${name} yet.`
      : `The first backup in ${name} is of ${backups[0]}: there is none before. Name a later time with --at.`,
  )
}

async function openBackup(
  { repository, operatorKey }: RestoreFromSettings,
  made: string,
): Promise<OpenBackup> {
  const record = await repository.readRecord(made)
  const dataKey = dataKeyOf(record, operatorKey)
  const form = pieceForm(dataKey)
  return { record, dataKey, form, list: await repository.readList(record, form) }
}

/**
 * Data key of a backup; undefined when it is not encrypted. Throws EncryptionRefused, also for a plain backup when there is an
 * operator key: everybody who can write to the repository can make one.
 */
function dataKeyOf(
  { made, encryption }: BackupRecord,
  operatorKey: OperatorKey | undefined,
): DataKey | undefined {
  const name = `The backup of ${made}`
  if (operatorKey) {
    if (encryption) return unwrapDataKey(name, encryption, operatorKey)
    throw new EncryptionRefused(
      `${name} is not encrypted, and a key was given: a backup that anybody can write may be forged. Make a new backup of the ` +
        'encrypted folder. To restore this one from before the encryption, leave MIEN_ENCRYPTION_KEY and ' +
        'MIEN_ENCRYPTION_KEY_FILE out, and name a log with --deletions.',
    )
  }
  if (!encryption) return undefined
  throw new EncryptionRefused(
    `${name} is encrypted with the key ${encryption.operatorKey}. Give it in MIEN_ENCRYPTION_KEY, or the name of its file ` +
      'in MIEN_ENCRYPTION_KEY_FILE.',
  )
}

async function requireSpace(folder: string, { bytes }: BackupRecord) {
  const { free } = await diskSpaceOf(folder)
  const megabytes = (number: number) => Math.ceil(number / 2 ** 20)
  if (bytes > free)
    throw new BackupRefused(
      `The backup needs ${megabytes(bytes)} MB, and the disk of ${dirname(folder)} has ${megabytes(free)} MB.`,
    )
}

async function writeFiles(
  { repository, onStep }: RestoreFromSettings,
  { record, list, form }: OpenBackup,
  draft: string,
) {
  onStep?.('files')
  for (const file of list.files)
    await writeFromPieces(repository, { record, form }, file, pathBelow(draft, file.path))
  onStep?.('pictures')
  const pictures = join(draft, 'pictures')
  await mkdir(pictures, { recursive: true, mode: 0o700 })
  await eachAtOnce(CONCURRENT_PIECES, list.pictures, async ({ piece }) => {
    const paths = await unpack(await repository.readPiece(record, form, piece), pictures)
    for (const path of paths) await syncFile(pathBelow(pictures, path))
  })
}

/** Writes a file of a backup. */
async function writeFromPieces(
  repository: Repository,
  { record, form }: Pick<OpenBackup, 'record' | 'form'>,
  { bytes, pieces }: FileInPieces,
  path: string,
) {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await writeFile(path, '', { mode: 0o600 })
  const file = await open(path, 'r+')
  try {
    await file.truncate(bytes)
    await eachAtOnce(CONCURRENT_PIECES, pieces.entries(), async ([number, name]) => {
      const block = await repository.readPiece(record, form, name)
      await writeAll(file, block, number * BLOCK_BYTES)
    })
  } finally {
    await file.close()
  }
}

/** Writes the metadata of the end of a backup to a separate folder. */
async function writeMetadata(repository: Repository, backup: OpenBackup, scratch: string) {
  await rm(scratch, { recursive: true, force: true })
  await writeFromPieces(repository, backup, backup.list.metadataAtEnd, join(scratch, METADATA_FILE))
}

/** Repeats the deletions of the given log, or of the longest one. `scratch` is a folder for files, removed by the caller. */
async function repeatDeletions(
  settings: RestoreFromSettings,
  backups: readonly string[],
  backup: OpenBackup,
  { draft, scratch }: { draft: string; scratch: string },
): Promise<Replayed | undefined> {
  const { deletions } = settings
  if (deletions === null) return undefined
  const longest = longestLog(settings, backups, backup, scratch)
  const { seq: atLeast, ...log } = deletions
    ? { ...deletions, seq: (await longest.catch(ignoreUnreadable))?.seq }
    : await longest
  return replayDeletions(draft, { ...log, scratch: join(scratch, 'copy'), atLeast }, backup.dataKey)
}

/** The longer log of two backups: the newest until now, and the newest of all. A clock that was ahead may date an earlier backup later. */
async function longestLog(
  settings: RestoreFromSettings,
  backups: readonly string[],
  backup: OpenBackup,
  scratch: string,
): Promise<{ path: string; dataKey: DataKey | undefined; seq: number }> {
  const last = backups.at(-1)!
  const logs = []
  for (const made of new Set([last, newestUntil(backups) ?? last])) {
    const path = join(scratch, `${logs.length}`)
    const opened = made === backup.record.made ? backup : await openBackup(settings, made)
    await writeMetadata(settings.repository, opened, path)
    logs.push({ path, dataKey: opened.dataKey, seq: await lastSeq(path, opened.dataKey) })
  }
  return logs.sort((a, b) => b.seq - a.seq)[0]!
}

/** `seq` of the last entry of the audit log in a folder. */
async function lastSeq(folder: string, dataKey: DataKey | undefined) {
  const database = await openDatabase(folder, { dataKey })
  try {
    return ((await lastEntry(database)) ?? CHAIN_START).seq
  } finally {
    await closeDatabase(database)
  }
}

/** A damaged newest backup, or one with another key, does not prevent the restore of an older one with a given log. */
function ignoreUnreadable(error: unknown): undefined {
  if (!(error instanceof BackupRefused || error instanceof EncryptionRefused)) throw error
}

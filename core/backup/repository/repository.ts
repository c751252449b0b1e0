/** A repository of backups: records, pieces and locks at a place. */
import type * as z from 'zod'
import { ignoreCode } from '../../files/inspect.ts'
import { WRITING_FOLDER } from '../../pictures/folder.ts'
import { BackupRefused, parsedPart } from '../contents.ts'
import { isBucket, makePlace, openPlace, type Place } from './place.ts'
import {
  type BackupList,
  type BackupRecord,
  ListSchema,
  MarkSchema,
  type PieceForm,
  RecordSchema,
} from './record.ts'

const MARK = 'repository.json'

/** Paths by name: of records by their time, of pieces by their content. */
const recordPath = (made: string) => `backups/${made.replaceAll(':', '-')}.json`
const piecePath = (name: string) => `pieces/${name.slice(0, 2)}/${name}`

/** Content of a repository. */
export interface Inventory {
  /** Names of pieces. */
  pieces: Set<string>
  /** Times of backups, as in their records, the oldest first. */
  backups: string[]
  /** Paths of locks (lock.ts), and of files that were being written. */
  locks: string[]
  drafts: string[]
}

export interface Repository {
  readonly place: Place
  /** Reserves the repository for an installation. Throws BackupRefused when it is reserved for another installation. */
  claim(installation: string): Promise<void>
  inventory(): Promise<Inventory>
  /** Throws BackupRefused for a missing or damaged record. */
  readRecord(made: string): Promise<BackupRecord>
  /** Reads the records of these times one by one: each record, or the message that it is missing or damaged. */
  readRecords(times: readonly string[]): AsyncGenerator<BackupRecord | string, void>
  writeRecord(record: BackupRecord): Promise<void>
  removeRecord(made: string): Promise<void>
  /** The list of a backup. Throws BackupRefused when it is damaged. */
  readList(record: BackupRecord, form: PieceForm): Promise<BackupList>
  /** Content of a piece of this backup. Throws BackupRefused, which names both, when it is missing or damaged. */
  readPiece(record: BackupRecord, form: PieceForm, name: string): Promise<Uint8Array<ArrayBuffer>>
  writePiece(name: string, stored: Uint8Array): Promise<void>
  removePieces(names: readonly string[]): Promise<void>
  close(): void
}

/** Creates the repository when its place is empty. Throws BackupRefused when the place holds something else. */
export async function createRepository(...place: Parameters<typeof openPlace>): Promise<Repository> {
  if (!isBucket(place[0])) await makePlace(place[0], MARK)
  const opened = await openPlace(...place)
  return closingOnError(opened, async () => {
    if (!(await opened.read(MARK))) await writeMark(opened)
    return openRepository(opened)
  })
}

/** Opens a repository. Throws BackupRefused when there is none, and for one of a later version. */
export async function findRepository(...place: Parameters<typeof openPlace>): Promise<Repository> {
  const opened = await openPlace(...place)
  return closingOnError(opened, () => openRepository(opened))
}

/** Whether a folder is a repository, or the text is the address of a bucket. */
export async function isRepository(text: string): Promise<boolean> {
  if (isBucket(text)) return true
  return (await openPlace(text, undefined)).has(MARK)
}

async function openRepository(place: Place): Promise<Repository> {
  await readMark(place)
  return repositoryAt(place)
}

type Mark = z.infer<typeof MarkSchema>

async function readMark(place: Place): Promise<Mark> {
  const mark = await place.read(MARK).catch(ignoreCode('ENOTDIR'))
  if (!mark) throw new BackupRefused(`${place.name} is no repository of backups: it has no ${MARK}.`)
  return parsedPart(MarkSchema, mark, `${place.name}/${MARK}`)
}

const writeMark = (place: Place, more: Pick<Mark, 'installation'> = {}) =>
  writeJson(place, MARK, { format: 'mien-backups', version: 1, ...more } satisfies Mark)

function repositoryAt(place: Place): Repository {
  async function readPiece({ made }: BackupRecord, form: PieceForm, name: string) {
    const stored = await place.read(piecePath(name))
    const content = stored && (await form.read(name, stored))
    if (content) return content
    throw new BackupRefused(
      `The backup of ${made} in ${place.name} is damaged: ${piecePath(name)} is ${stored ? 'damaged' : 'missing'}. ` +
        'Restore another one with --at. Delete a damaged piece: the next backup writes it again if it is still needed.',
    )
  }

  /** The record in these bytes of its file. */
  function recordIn(made: string, bytes: Uint8Array | undefined): BackupRecord {
    const where = `${place.name}/${recordPath(made)}`
    if (!bytes) throw new BackupRefused(`${where} is missing.`)
    const record = parsedPart(RecordSchema, bytes, where)
    if (record.made !== made) throw new BackupRefused(`${where} is the record of another backup.`)
    return record
  }

  return {
    place,
    async claim(installation) {
      const { installation: claimed } = await readMark(place)
      if (claimed === undefined) await writeMark(place, { installation })
      else if (claimed !== installation)
        throw new BackupRefused(
          `${place.name} holds backups of another data folder: choose another folder or another prefix of the bucket.`,
        )
    },
    async inventory() {
      const found: Inventory = { pieces: new Set(), backups: [], locks: [], drafts: [] }
      for await (const path of place.list()) {
        const [, piece] = /^pieces\/[0-9a-f]{2}\/([0-9a-f]{64})$/.exec(path) ?? []
        const [, day, h, m, s] = /^backups\/(.{10}T)(\d\d)-(\d\d)-([\d.]+Z)\.json$/.exec(path) ?? []
        if (piece) found.pieces.add(piece)
        if (day) found.backups.push(`${day}${h}:${m}:${s}`)
        if (path.startsWith('locks/')) found.locks.push(path)
        if (path.startsWith(`${WRITING_FOLDER}/`)) found.drafts.push(path)
      }
      found.backups.sort()
      return found
    },
    readRecord: async made => recordIn(made, await place.read(recordPath(made))),
    async *readRecords(times) {
      for (const made of times) {
        // An unreachable place is no damaged record.
        const bytes = await place.read(recordPath(made))
        yield recordOrMessage(() => recordIn(made, bytes))
      }
    },
    writeRecord: record => writeJson(place, recordPath(record.made), record),
    async removeRecord(made) {
      await place.remove([recordPath(made)])
    },
    readPiece,
    async readList(record, form) {
      const bytes = await readPiece(record, form, record.list)
      const list = parsedPart(ListSchema, bytes, `The list of the backup of ${record.made}`)
      if (list.made !== record.made)
        throw new BackupRefused(
          `The record of the backup of ${record.made} was changed: its list is of ${list.made}.`,
        )
      return list
    },
    writePiece: (name, stored) =>
      place.write([{ path: piecePath(name), bytes: stored, type: 'application/octet-stream' }]),
    async removePieces(names) {
      await place.remove(names.map(piecePath))
    },
    close: () => place.close(),
  }
}

function recordOrMessage(read: () => BackupRecord): BackupRecord | string {
  try {
    return read()
  } catch (error) {
    if (error instanceof BackupRefused) return error.message
    throw error
  }
}

export const writeJson = (place: Place, path: string, content: object): Promise<void> =>
  place.write([{ path, bytes: Buffer.from(`${JSON.stringify(content)}\n`), type: 'application/json' }])

async function closingOnError<Result>(place: Place, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    place.close()
    throw error
  }
}

/** The same repository, which reads no piece after the signal. */
export const readableUntil = (signal: AbortSignal | undefined, repository: Repository): Repository => ({
  ...repository,
  async readPiece(...piece) {
    signal?.throwIfAborted()
    return repository.readPiece(...piece)
  },
})

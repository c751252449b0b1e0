/** Replays deletions after a backup in the restored folder, from the audit log of the lost service. */
import { randomUUID } from 'node:crypto'
import { LIMITS } from '../contract/limits.ts'
import { storeGallery } from '../contract/model/gallery.ts'
import type { DataKey } from '../encryption/encrypt.ts'
import { galleryNumber } from '../http/store/statistics.ts'
import { type AuditEntry, type AuditEvent, BEGINNING, type Link } from '../metadata/audit-log/chain.ts'
import { insertEntries, lastEntry } from '../metadata/audit-log/entries.ts'
import { AuditLogRefused } from '../metadata/audit-log/file.ts'
import { closeAsOneFile, type Database, openDatabase } from '../metadata/database.ts'
import { deleteCamera } from '../metadata/queries/cameras.ts'
import { deleteFaces } from '../metadata/queries/deletions.ts'
import { commitFaceChange } from '../metadata/queries/face-changes.ts'
import { faceKeysOf, personsOfFaces } from '../metadata/queries/faces.ts'
import { galleryNames, markGalleryDeleted } from '../metadata/queries/galleries.ts'
import { markOwnerDeletedById } from '../metadata/queries/owners.ts'
import { deletePersons } from '../metadata/queries/persons.ts'
import { endToken } from '../metadata/queries/tokens.ts'
import { type LogSource, readDeletionLog } from './deletion-log.ts'

/** Numbers of items deleted in the restored folder. Items of the log that the folder does not contain are not counted. */
export interface Replayed {
  /** Entries of the log that are newer than the backup. */
  entries: number
  faces: number
  persons: number
  galleries: number
  cameras: number
  owners: number
  tokens: number
  /** Faces that were removed from galleries. */
  moved: number
  /** Deleted faces whose ids are missing in entries of earlier versions. */
  unnamed: number
}

type Subject = {
  face?: number
  faces?: number[]
  count?: number
  parts?: number
  because?: string
  person?: number
  gallery?: number
  camera?: string
  token?: string
  'galleries set'?: number[]
  'galleries del'?: number[]
}

interface Replaying {
  database: Database
  done: Replayed
}

/** Replays one entry. `owner` is the owner of the entry. */
type Replay = (replaying: Replaying, owner: string, subject: Subject) => Promise<void>

const ACTIONS: Readonly<Record<string, Replay>> = {
  'face.delete': (replaying, _, { face }) => dropFaces(replaying, face === undefined ? [] : [face]),
  'faces.delete': replayFaces,
  'faces.delete-with-meta': replayFaces,
  'person.delete': replayPerson,
  'face.update': replayGalleryChange,
  async 'gallery.delete'({ database, done }, owner, { gallery }) {
    for (const name of await galleryNames(database, owner))
      if (galleryNumber(storeGallery(owner, name)) === gallery)
        done.galleries += (await markGalleryDeleted(database, owner, name)) ? 1 : 0
  },
  async 'camera.delete'({ database, done }, owner, { camera }) {
    if (camera !== undefined) done.cameras += (await deleteCamera(database, owner, camera)) ? 1 : 0
  },
  async 'owner.delete'({ database, done }, owner) {
    done.owners += (await markOwnerDeletedById(database, owner)) ? 1 : 0
  },
  'token.revoke': replayToken,
  'token.rotate': replayToken,
}

/**
 * Applies the log to the metadata of this folder, which no other process may use. Writes intents for the vectors and pictures of
 * deleted faces, galleries and owners; the first start reconciles them before it serves requests. Throws AuditLogRefused,
 * without any change, when the log is damaged or does not continue the log of the backup.
 */
export async function replayDeletions(
  folder: string,
  source: LogSource,
  dataKey: DataKey | undefined,
): Promise<Replayed> {
  const database = await openDatabase(folder, { dataKey })
  try {
    const known = (await lastEntry(database)) ?? BEGINNING
    // Verify the whole log first: an error in the middle would leave some deletions out.
    const { after, head } = await readDeletionLog(source, entry => requireSame(known, entry))
    requireContinuous(known, after, head)
    const done: Replayed = {
      entries: 0,
      faces: 0,
      persons: 0,
      galleries: 0,
      cameras: 0,
      owners: 0,
      tokens: 0,
      moved: 0,
      unnamed: 0,
    }
    let replayedEvents: AuditEvent[] = []
    await readDeletionLog(source, async entry => {
      if (entry.seq <= known.seq) return
      done.entries++
      if (!(await replayEntry({ database, done }, entry))) return
      replayedEvents.push(replayedEvent(entry))
      if (replayedEvents.length < LIMITS.reconcileBatch) return
      await insertEntries(database, replayedEvents)
      replayedEvents = []
    })
    if (replayedEvents.length > 0) await insertEntries(database, replayedEvents)
    return done
  } finally {
    await closeAsOneFile(database)
  }
}

function requireSame(known: Link, { seq, hash }: AuditEntry): void {
  if (seq === known.seq && hash !== known.hash)
    throw new AuditLogRefused(
      `Entry ${seq} of the log is not that of the backup: it is of another data folder.`,
    )
}

function requireContinuous(known: Link, after: Link, head: Link): void {
  if (after.seq > known.seq)
    throw new AuditLogRefused(
      `The log begins after entry ${after.seq}, and the backup ends with entry ${known.seq}: the entries between are missing.`,
    )
  if (after.seq === known.seq && after.hash !== '' && after.hash !== known.hash)
    throw new AuditLogRefused('The log does not follow that of the backup: it is of another data folder.')
  if (head.seq < known.seq)
    throw new AuditLogRefused(
      `The log ends with entry ${head.seq}, and the backup with entry ${known.seq}: it is older than the backup.`,
    )
}

/** Event for the audit log of the restored folder. A later restore can replay it again. */
const replayedEvent = ({ actor, action, owner, subject, seq }: AuditEntry): AuditEvent => ({
  actor,
  action,
  owner: owner ?? undefined,
  subject: { ...(JSON.parse(subject) as AuditEvent['subject']), replayed: seq },
})

/** Replays an entry. Returns false for an action that is not replayed. */
async function replayEntry(replaying: Replaying, { action, owner, subject }: AuditEntry): Promise<boolean> {
  const replay = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined
  if (!replay) return false
  await replay(replaying, owner ?? '', JSON.parse(subject) as Subject)
  return true
}

async function replayFaces(
  replaying: Replaying,
  owner: string,
  { faces = [], count = 0, parts, because }: Subject,
): Promise<void> {
  const { database, done } = replaying
  const persons = because === 'retention' ? await personsOfFaces(database, owner, faces) : []
  await dropFaces(replaying, faces)
  done.persons += await deletePersons(database, owner, persons, { onlyFaceless: true })
  if (parts === undefined) done.unnamed += Math.max(0, count - faces.length)
}

async function replayPerson(replaying: Replaying, owner: string, subject: Subject): Promise<void> {
  const { database, done } = replaying
  const { faces = [], count = 0, parts, person } = subject
  await dropFaces(replaying, faces)
  if (person === undefined) return
  const unnamed = parts === undefined && count > faces.length
  if (unnamed) done.faces += (await deleteFaces(database, work(), owner, { person })).length
  done.persons += await deletePersons(database, owner, [person], { onlyFaceless: true })
}

/**
 * Removes a face from galleries that it left after the backup. Otherwise a later replayed deletion of the gallery would delete
 * the face.
 */
async function replayGalleryChange(
  { database, done }: Replaying,
  owner: string,
  subject: Subject,
): Promise<void> {
  const { face, 'galleries set': set, 'galleries del': del } = subject
  const [found] = face === undefined || !(set ?? del) ? [] : await faceKeysOf(database, [face])
  if (!found || found.owner !== owner) return
  const stays = (name: string): boolean => {
    const number = galleryNumber(storeGallery(owner, name))
    return set ? set.includes(number) : !del?.includes(number)
  }
  const galleries = found.galleries.filter(stays)
  const left = found.galleries.filter(name => !stays(name))
  if (left.length === 0) return
  await commitFaceChange(database, { work: work(), owner, id: found.id, galleries, left })
  done.moved++
}

async function replayToken({ database, done }: Replaying, _: string, { token }: Subject): Promise<void> {
  const now = Date.now() * 1000
  if (token !== undefined) done.tokens += (await endToken(database, { id: token }, now, now)).length
}

async function dropFaces({ database, done }: Replaying, ids: readonly number[]): Promise<void> {
  for (let at = 0; at < ids.length; at += LIMITS.reconcileBatch) {
    const found = await faceKeysOf(database, ids.slice(at, at + LIMITS.reconcileBatch))
    for (const [owner, theirs] of Map.groupBy(found, face => face.owner)) {
      const doomed = theirs.map(({ id }) => id)
      done.faces += (await deleteFaces(database, work(), owner, { ids: doomed })).length
    }
  }
}

const work = () => ({ id: randomUUID(), since: Date.now() })

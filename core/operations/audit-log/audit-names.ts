/** Present names of the ids in entries of the audit log. The log has no names: they can change, and must be deletable. */
import type { AuditEntry } from '../../../contract/model/audit-log.ts'
import { DEFAULT_GALLERY, storeGallery } from '../../../contract/model/gallery.ts'
import { tokensOf } from '../../metadata/access/tokens.ts'
import { usersOf } from '../../metadata/access/users.ts'
import { alertsOf } from '../../metadata/alerts/rules.ts'
import { camerasOf } from '../../metadata/cameras/cameras.ts'
import type { Database } from '../../metadata/database.ts'
import { ownerGalleries } from '../../metadata/galleries/galleries.ts'
import { personsById } from '../../metadata/persons/persons.ts'
import { galleryNumber } from '../galleries/galleries.ts'

/** Tokens whose names are read, newest first. */
const TOKENS = 1_000

/** Kinds of the ids under these names of a subject. */
const ID_KINDS = {
  token: 'token',
  next: 'token',
  user: 'user',
  alert: 'alert',
  camera: 'camera',
  person: 'person',
  persons: 'person',
  to: 'person',
  gallery: 'gallery',
  galleries: 'gallery',
} as const

type Kind = (typeof ID_KINDS)[keyof typeof ID_KINDS]

const idsIn = (value: AuditEntry['subject'][string] | undefined) =>
  [value ?? []].flat().filter(id => typeof id !== 'boolean')

/** Adds the names of each entry of this owner: of its actor, and by the keys of its subject. */
export async function withNames(
  database: Database,
  owner: string,
  entries: readonly AuditEntry[],
): Promise<AuditEntry[]> {
  const names = await namesOf(database, owner, entries)
  return entries.map(entry => {
    const found = Object.entries(ID_KINDS).flatMap(([key, kind]) => {
      const ids = idsIn(entry.subject[key])
      const isKnown = ids.some(id => names[kind].has(String(id)))
      return isKnown ? [[key, ids.map(id => names[kind].get(String(id)) ?? id).join(', ')]] : []
    })
    const actor = names.token.get(entry.actor.replace(/^token /, ''))
    if (actor !== undefined) found.push(['actor', actor])
    return found.length > 0 ? { ...entry, names: Object.fromEntries(found) } : entry
  })
}

/** Names by id, of each kind. Kinds that no entry has are not read. */
async function namesOf(
  database: Database,
  owner: string,
  entries: readonly AuditEntry[],
): Promise<Record<Kind, Map<string, string>>> {
  const read = async <T>(kind: Kind, query: (ids: (string | number)[]) => Promise<T[]>): Promise<T[]> => {
    const keys = Object.entries(ID_KINDS).flatMap(([key, of]) => (of === kind ? [key] : []))
    const ids = new Set(entries.flatMap(({ subject }) => keys.flatMap(key => idsIn(subject[key]))))
    return ids.size > 0 ? query([...ids]) : []
  }
  const [tokens, users, alerts, cameras, galleries, people] = await Promise.all([
    tokensOf(database, owner, TOKENS),
    read('user', () => usersOf(database, owner, 0)),
    read('alert', () => alertsOf(database, owner)),
    read('camera', () => camerasOf(database, owner)),
    read('gallery', () => ownerGalleries(database, owner)),
    read('person', ids =>
      personsById(
        database,
        owner,
        ids.filter(id => typeof id === 'number'),
      ),
    ),
  ])
  return {
    token: new Map(tokens.flatMap(({ id, name }) => (name ? [[id, name] as const] : []))),
    user: new Map(users.map(({ id, name }) => [id, name])),
    alert: new Map(alerts.map(({ id, name }) => [id, name])),
    camera: new Map(cameras.flatMap(({ id, meta }) => (meta ? [[id, meta] as const] : []))),
    gallery: new Map(
      [{ name: DEFAULT_GALLERY, displayName: null }, ...galleries].map(({ name, displayName }) => [
        String(galleryNumber(storeGallery(owner, name))),
        displayName ?? name,
      ]),
    ),
    person: new Map(people.map(({ id, meta }) => [String(id), meta])),
  }
}

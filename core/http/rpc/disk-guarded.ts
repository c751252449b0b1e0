/** Which verbs need room on the disk, and which go on without. */

import type { Question, Verb } from '../../contract/rpc/operations.ts'
import type { DiskSpace } from '../../files/disk-space.ts'
import type { Handlers, Reply } from './handlers.ts'

/** Verbs that write nothing but what belongs to a deletion. Every other verb that changes something needs room. */
const DELETING: ReadonlySet<Verb> = new Set<Verb>([
  'face.delete',
  'faces.delete-with-meta',
  'person.delete',
  'camera.delete',
  'gallery.delete',
])

/** The same handlers. On a full disk those that add or change something reject with DiskFull, and have done nothing. */
export function diskGuarded(handlers: Handlers, room: DiskSpace): Handlers {
  const guarded = <V extends Verb>(verb: V) => ({
    [verb]: (question: Question<V>, blobs: Uint8Array[]): Promise<Reply<V>> => {
      const work = () => handlers[verb](question, blobs)
      if (DELETING.has(verb)) return room.deleting(work)
      return 'by' in question ? room.adding(work) : work()
    },
  })
  const verbs = Object.keys(handlers) as Verb[]
  return Object.assign({}, ...verbs.map(guarded)) as Handlers
}

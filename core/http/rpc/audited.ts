/** What the audit log tells of each verb that changes something: written down before the verb is answered. */
import { storeGallery } from '../../contract/model/gallery.ts'
import type { Answer, ChangingVerb, Question } from '../../contract/rpc/operations.ts'
import { idLists, type Subject } from '../../metadata/audit-log/chain.ts'
import type { AuditRecorder } from '../../operations/upkeep/audit-log.ts'
import { galleryNumber } from '../store/statistics.ts'
import type { Handlers, Reply } from './handlers.ts'

type Subjects = {
  [V in ChangingVerb]: (question: Question<V>, answer: Answer<V>) => Subject | readonly Subject[]
}

/** A gallery's name may be a person's: the log has the number by which the statistics know it. */
const named = (owner: string, gallery: string): number => galleryNumber(storeGallery(owner, gallery))

/** The ids of all faces, in as many entries as they need. A restore replays them: none may be left out. */
const listed = (faces: readonly number[], subject: Subject = {}): Subject[] =>
  idLists(faces).map((part, _, { length: parts }) => ({
    ...subject,
    faces: part,
    count: faces.length,
    ...(parts > 1 && { parts }),
  }))

const setCamera = (_: unknown, { camera }: Answer<'camera.create' | 'camera.update'>): Subject => ({
  camera: camera.id,
  retention_days: camera.retention_days,
})

const setGallery = ({
  owner,
  gallery,
  retentionDays,
}: Question<'gallery.create' | 'gallery.update'>): Subject => ({
  gallery: named(owner, gallery),
  retention_days: retentionDays,
})

const SUBJECTS: Subjects = {
  enrol: ({ owner, galleries, camera }, { faces }) => ({
    faces: faces.map(({ id }) => id),
    galleries: galleries.map(name => named(owner, name)),
    camera,
  }),
  'face.update': ({ owner, id, meta, personId, galleries }) => ({
    face: id,
    meta: meta === undefined ? undefined : 'changed',
    person: typeof personId === 'string' ? 'a text' : personId,
    [`galleries ${galleries?.kind}`]: galleries?.names.map(name => named(owner, name)),
  }),
  'face.delete': ({ id }) => ({ face: id }),
  'faces.delete-with-meta': ({ owner, gallery }, { faces }) =>
    listed(faces, { gallery: gallery === undefined ? undefined : named(owner, gallery) }),
  'person.delete': ({ id }, { faces }) => listed(faces, { person: id }),
  'camera.create': setCamera,
  'camera.update': setCamera,
  'camera.delete': ({ id }) => ({ camera: id }),
  'gallery.create': setGallery,
  'gallery.update': setGallery,
  'gallery.delete': ({ owner, gallery }) => ({ gallery: named(owner, gallery) }),
}

/** The same handlers; those that change something write down who did what before they answer. */
export function audited(handlers: Handlers, record: AuditRecorder): Handlers {
  const recorded = <V extends ChangingVerb>(verb: V) => ({
    [verb]: async (question: Question<V>, blobs: Uint8Array[]): Promise<Reply<V>> => {
      const reply = await handlers[verb](question, blobs)
      const subject = SUBJECTS[verb](question, reply.answer)
      const by = { actor: `token ${question.by}`, owner: question.owner, action: verb }
      await Promise.all([subject].flat().map(one => record({ ...by, subject: one })))
      return reply
    },
  })
  const verbs = Object.keys(SUBJECTS) as ChangingVerb[]
  return Object.assign({}, handlers, ...verbs.map(recorded))
}

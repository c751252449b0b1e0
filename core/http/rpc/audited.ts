/** Writes an audit log entry for each operation that changes data, before its response. */
import { storeGallery } from '../../../contract/model/gallery.ts'
import type { ChangingOperation, RpcRequest, RpcResponse } from '../../../contract/rpc/operations.ts'
import { idLists, type Subject } from '../../metadata/audit-log/chain.ts'
import type { AuditRecorder } from '../../operations/upkeep/audit-log.ts'
import { galleryNumber } from '../store/statistics.ts'
import type { Handlers, Reply } from './handlers.ts'

type Subjects = {
  [V in ChangingOperation]: (question: RpcRequest<V>, answer: RpcResponse<V>) => Subject | readonly Subject[]
}

/** Gallery number of the statistics. The audit log contains it instead of the name, which can be the name of a person. */
const loggedGallery = (owner: string, gallery: string): number => galleryNumber(storeGallery(owner, gallery))

/** Subjects with the ids of all faces, split into entries of bounded size. A restore replays them and needs every id. */
const faceSubjects = (faces: readonly number[], subject: Subject = {}): Subject[] =>
  idLists(faces).map((part, _, { length: parts }) => ({
    ...subject,
    faces: part,
    count: faces.length,
    ...(parts > 1 && { parts }),
  }))

const setCamera = (_: unknown, { camera }: RpcResponse<'camera.create' | 'camera.update'>): Subject => ({
  camera: camera.id,
  retention_days: camera.retention_days,
})

const setGallery = ({
  owner,
  gallery,
  retentionDays,
}: RpcRequest<'gallery.create' | 'gallery.update'>): Subject => ({
  gallery: loggedGallery(owner, gallery),
  retention_days: retentionDays,
})

const SUBJECTS: Subjects = {
  enrol: ({ owner, galleries, camera }, { faces }) => ({
    faces: faces.map(({ id }) => id),
    galleries: galleries.map(name => loggedGallery(owner, name)),
    camera,
  }),
  'face.update': ({ owner, id, meta, personId, galleries }) => ({
    face: id,
    meta: meta === undefined ? undefined : 'changed',
    person: typeof personId === 'string' ? 'a text' : personId,
    [`galleries ${galleries?.kind}`]: galleries?.names.map(name => loggedGallery(owner, name)),
  }),
  'face.delete': ({ id }) => ({ face: id }),
  'faces.delete-with-meta': ({ owner, gallery }, { faces }) =>
    faceSubjects(faces, { gallery: gallery === undefined ? undefined : loggedGallery(owner, gallery) }),
  'person.update': ({ id }, { changed }) => ({ person: id, meta: 'changed', count: changed }),
  'person.merge': ({ id, persons }, { moved }) => ({ person: id, persons, count: moved }),
  'person.split': ({ id, faces }, { person }) => ({ person: id, to: person.id, faces, count: faces.length }),
  'person.delete': ({ id }, { faces }) => faceSubjects(faces, { person: id }),
  'camera.create': setCamera,
  'camera.update': setCamera,
  'camera.delete': ({ id }) => ({ camera: id }),
  'gallery.create': setGallery,
  'gallery.update': setGallery,
  'token.create': (_, { token }) => ({ token: token.id }),
  'token.rotate': ({ id }, { token }) => ({ token: id, next: token.id }),
  'token.revoke': ({ id }) => ({ token: id }),
  'alert.create': (_, { alert }) => ({ alert: alert.id }),
  'alert.update': ({ id }) => ({ alert: id }),
  'alert.delete': ({ id }) => ({ alert: id }),
  'alert.secret': ({ id }) => ({ alert: id }),
  'alert.test': ({ id }) => ({ alert: id }),
  'delivery.retry': ({ id, delivery }) => ({ alert: id, delivery }),
  'gallery.delete': ({ owner, gallery }) => ({ gallery: loggedGallery(owner, gallery) }),
}

/** Wraps handlers: operations that change data record actor, action and subject before they return. */
export function audited(handlers: Handlers, record: AuditRecorder): Handlers {
  const recording = <V extends ChangingOperation>(verb: V) => ({
    [verb]: async (question: RpcRequest<V>, blobs: Uint8Array[]): Promise<Reply<V>> => {
      const reply = await handlers[verb](question, blobs)
      const subject = SUBJECTS[verb](question, reply.answer)
      const by = { actor: `token ${question.by}`, owner: question.owner, action: verb }
      await Promise.all([subject].flat().map(one => record({ ...by, subject: one })))
      return reply
    },
  })
  const verbs = Object.keys(SUBJECTS) as ChangingOperation[]
  return Object.assign({}, handlers, ...verbs.map(recording))
}

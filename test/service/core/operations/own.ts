/** Operations as the sample owner calls them: with the id or the gallery in place of the whole request. */
import type { RpcRequest } from '#contract/operations/messages.ts'
import * as alerts from '#core/operations/alerts/alerts.ts'
import * as deliveries from '#core/operations/alerts/deliveries.ts'
import * as deletions from '#core/operations/consistency/deletions.ts'
import type { FacePixels } from '#core/operations/faces/enrol.ts'
import * as faces from '#core/operations/faces/faces.ts'
import * as galleries from '#core/operations/galleries/galleries.ts'
import * as changes from '#core/operations/persons/changes.ts'
import * as persons from '#core/operations/persons/persons.ts'
import { identify } from '#core/operations/recognition.ts'
import type { Services } from '#core/operations/services.ts'
import { OWNER } from '#test/support/sample-faces.ts'

/** An operation on the subject with this key. Another owner may be among the other fields of the request. */
const owned =
  <Key extends string>(key: Key) =>
  <Request extends Record<Key, unknown>, Given, Answer>(
    operation: (services: Given, request: Request) => Answer,
  ) =>
  (services: Given, subject: Request[Key], more: Partial<Request> = {}) =>
    operation(services, { owner: OWNER, [key]: subject, ...more } as never)

const byId = owned('id')
const byGallery = owned('gallery')

export const getAlert = byId(alerts.getAlert)
export const testAlert = byId(deliveries.testAlert)
export const deleteFace = byId(deletions.deleteFace)
export const deletePerson = byId(deletions.deletePerson)
export const deleteGallery = byGallery(deletions.deleteGallery)
export const getFace = byId(faces.getFace)
export const updateFace = byId(faces.updateFace)
export const createGallery = byGallery(galleries.createGallery)
export const updatePerson = byId(changes.updatePerson)
export const getPerson = byId(persons.getPerson)
export const personSummary = byId(persons.personSummary)

export const mergePersons = (services: Services, id: number, ...persons: number[]) =>
  changes.mergePersons(services, { owner: OWNER, id, persons })

const split = byId(changes.splitPerson)
export const splitPerson = (
  services: Services,
  id: number,
  faces: number[],
  more: Parameters<typeof split>[2] = {},
) => split(services, id, { faces, ...more })

/** Ids of the faces that an identification of this face finds, best first. */
export async function foundFaces(
  services: Services,
  { chip }: FacePixels,
  changed: Partial<RpcRequest<'identify'>> = {},
): Promise<number[]> {
  const request = { owner: OWNER, gallery: 'default', threshold: 0, limit: 10, ...changed }
  const { matches } = await identify(services, request, [chip.data])
  return matches[0]!.map(({ face }) => face.id)
}

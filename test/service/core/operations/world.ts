/** Real stores in a data folder with two owners, operations as the first owner calls them, and functions that list all stored data. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { sha256 } from '#contract/digest.ts'
import type { Camera } from '#contract/model/camera.ts'
import type { Face } from '#contract/model/face.ts'
import type { RpcRequest } from '#contract/operations/messages.ts'
import { cosineScale } from '#core/calibration/scale.ts'
import type { Options } from '#core/configuration/options.ts'
import type { DataKey } from '#core/encryption/encrypt.ts'
import { ownerNamed } from '#core/metadata/access/owners.ts'
import { owners } from '#core/metadata/schema.ts'
import * as alerts from '#core/operations/alerts/alerts.ts'
import * as deliveries from '#core/operations/alerts/deliveries.ts'
import { createCamera } from '#core/operations/cameras/cameras.ts'
import * as deletions from '#core/operations/consistency/deletions.ts'
import { reconcileIntents } from '#core/operations/consistency/intent-log.ts'
import { enrol, type FacePixels } from '#core/operations/faces/enrol.ts'
import * as faces from '#core/operations/faces/faces.ts'
import * as galleries from '#core/operations/galleries/galleries.ts'
import * as changes from '#core/operations/persons/changes.ts'
import * as persons from '#core/operations/persons/persons.ts'
import { identify } from '#core/operations/recognition.ts'
import { type OpenStores, type Services, servicesOf } from '#core/operations/services.ts'
import type { PictureSettings } from '#core/pictures/open.ts'
import type { PictureFile } from '#core/pictures/pictures.ts'
import { openStores } from '#core/stores.ts'
import type { StoreSettings } from '#core/vector-store/open.ts'
import { StoreUnavailable, type VectorKey, type VectorStore } from '#core/vector-store/vector-store.ts'
import { enrolment, OTHER_OWNER, OWNER, testServices } from '#test/support/sample-faces.ts'
import { temporaryFolder } from '#test/unit/core/folder.ts'

export type World = Services & { data: string; close(): Promise<void> }

/** Opens services on this data folder or a new one; the test closes them at its end. */
export async function openWorld(
  data?: string,
  dataKey?: DataKey,
  settings: PictureSettings & Pick<StoreSettings, 'embedder'> = {},
): Promise<World> {
  const folder = data ?? (await temporaryFolder())
  const stores = await openStores(folder, { ...settings, dataKey })
  let closed = false
  const close = async () => {
    if (closed) return
    closed = true
    await stores.close()
  }
  onTestFinished(close)
  return worldOf(stores, folder, close)
}

async function worldOf(stores: OpenStores, data: string, close: () => Promise<void>): Promise<World> {
  const services = servicesOf(stores, testServices)
  for (const [id, name] of [
    [OWNER, 'first'],
    [OTHER_OWNER, 'second'],
  ] as const) {
    await ownerNamed(services.database, { id, name, created: 0 })
  }
  return { ...services, close, data }
}

type ClosableStores = Awaited<ReturnType<typeof openStores>>

/** Open stores without data, by their data folders. Opening stores for each test costs more than most tests. */
const idle = new Map<string, ClosableStores>()

/** Vectors above which stores are closed instead of emptied. */
const MOST_VECTORS = 500

/** Empty services, for tests that do not touch the files. The stores come from earlier tests of this process. */
export async function emptyWorld(): Promise<World> {
  const [used] = idle
  const data = used?.[0] ?? mkdtempSync(join(tmpdir(), 'mien-test-'))
  idle.delete(data)
  const stores = used?.[1] ?? (await openStores(data))
  if (!used) process.once('exit', () => rmSync(data, { recursive: true, force: true }))
  let isOpen = true
  const close = async () => {
    if (isOpen) await stores.close()
    isOpen = false
  }
  onTestFinished(async () => {
    if (isOpen && (await isEmptied(stores))) idle.set(data, stores)
    else await close()
  })
  return worldOf(stores, data, close)
}

/** What `make` stores in empty services, once for all tests of a file, which must not change it. */
export function madeOnce<Made>(make: (world: World) => Promise<Made>): () => Made {
  const data = mkdtempSync(join(tmpdir(), 'mien-test-'))
  let stores: ClosableStores
  let made: Made
  beforeAll(async () => {
    stores = await openStores(data)
    made = await make(await worldOf(stores, data, () => stores.close()))
  })
  afterAll(async () => {
    await stores.close()
    rmSync(data, { recursive: true })
  })
  return () => made
}

/** Leaves OWNER alone: core refuses changes of the whole service to one of several owners. */
export const leaveOneOwner = async ({ database }: Pick<World, 'database'>): Promise<void> =>
  void (await database.delete(owners).where(eq(owners.id, OTHER_OWNER)))

/** Deletes all data of all owners. False for more data than is quickly deleted, and for an audit log, which stays for good. */
async function isEmptied({ database, vectors, pictures }: ClosableStores) {
  const { vectors: keys, pictures: files } = await keysIn({ vectors, pictures })
  const audited = (await database.run('SELECT seq FROM audit LIMIT 1')).rows.length
  if (keys.length > MOST_VECTORS || audited > 0) return false
  await vectors.remove(keys)
  for (const owner of new Set(files.map(file => file.owner))) await pictures.removeAll(owner)
  const { rows } = await database.run(
    `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '\\_\\_%' ESCAPE '\\'
      AND name NOT IN ('sums', 'installation', 'owners', 'audit')`,
  )
  for (const name of ['owners', ...rows.map(row => row.name)]) await database.run(`DELETE FROM ${name}`)
  return true
}

/** The answer of an enrolment of one face. */
export async function enrolFace(
  services: Services,
  pixels: FacePixels,
  changed: Partial<RpcRequest<'enrol'>> = {},
): Promise<Face> {
  const { faces } = await enrol(services, enrolment(1, changed), [pixels])
  return faces[0]!
}

export const enrolOne = async (...given: Parameters<typeof enrolFace>) => (await enrolFace(...given)).id

let photos = 0

/** Enrols the faces of a new photo, which have this measured quality. */
export async function enrolPhoto(
  services: Services,
  pixels: readonly FacePixels[],
  { quality = 0.9, ...changed }: Partial<RpcRequest<'enrol'>> & { quality?: number } = {},
): Promise<Face[]> {
  const request = enrolment(pixels.length, { photoHash: `a photo ${photos++}`, ...changed })
  const faces = request.faces.map(face => ({ ...face, measuredQuality: quality }))
  return (await enrol(services, { ...request, faces }, [...pixels])).faces
}

/** The answer of an enrolment of one face of a new photo. */
export const enrolAlone = async (
  services: Services,
  pixels: FacePixels,
  changed?: Parameters<typeof enrolPhoto>[2],
): Promise<Face> => (await enrolPhoto(services, [pixels], changed))[0]!

/** The id of a new camera, as faces hold it. */
export async function cameraOf(
  services: Services,
  owner = OWNER,
  changed: Partial<Camera> = {},
): Promise<string> {
  const { camera } = await createCamera(services, { owner, camera: { enabled: true, ...changed } })
  return camera.id.replaceAll('-', '')
}

/** A test with empty services, and with a camera in them. */
export const it = test.extend('world', () => emptyWorld()).extend('camera', ({ world }) => cameraOf(world))

/** The same services with person identification. */
export const withPersons = <Given extends Services>(
  services: Given,
  options: Partial<Options> = {},
): Given => ({
  ...services,
  options: { ...services.options, person_identify: true, ...options },
})

/**
 * The same services, in which two faces of different colours are probably one person, in a gallery of a few people: the calibration
 * is one of people who differ much.
 */
export const unsure = <Given extends Services>(services: Given): Given => ({
  ...services,
  scale: cosineScale(score => (score > 0.99 ? 1 : 0.569 + 0.11 * (score + 1))),
})

/** Reconciles all intents, however young. */
export const reconcileNow = (services: Services) => reconcileIntents(services, Date.now() + 60_000)

/** The same services whose transactions run by `batch`. */
export const withBatches = <Given extends Services>(
  services: Given,
  batch: (run: () => Promise<unknown>) => Promise<unknown>,
): Given => ({
  ...services,
  database: new Proxy(services.database, {
    get: (target, name) =>
      name === 'batch'
        ? (statements: Parameters<Services['database']['batch']>[0]) => batch(() => target.batch(statements))
        : Reflect.get(target, name, target),
  }),
})

/** The store with some functions replaced. */
export const storeWith = (
  { vectors }: Pick<Services, 'vectors'>,
  changed: Partial<VectorStore>,
): VectorStore =>
  new Proxy(vectors, {
    get(target, name) {
      const value = Reflect.get(changed, name) ?? Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })

/** Rejects as a store does while a shard is unavailable. */
export const noAnswer = () => Promise.reject(new StoreUnavailable('away'))

/** Idempotency fields of an enrolment. */
export const keyOf = async (key: string, request: string) => ({
  idempotency: { key, requestHash: await sha256(request) },
})

/** The result of a reconciliation that found nothing to finish. */
export const IN_ORDER = {
  galleriesDeleted: 0,
  ownersDeleted: 0,
  reconciled: 0,
  vectorsRemoved: 0,
  picturesRemoved: 0,
  pending: 0,
  vectorsMissing: 0,
}

/** The keys of all stored vectors and pictures. */
export async function keysOf({ vectors, pictures }: Pick<Services, 'vectors' | 'pictures'>) {
  const found = await keysIn({ vectors, pictures })
  return {
    vectors: found.vectors.map(({ gallery, id }) => `${gallery}/${id}`).sort(),
    pictures: found.pictures.map(({ owner, id, kind }) => `${owner}/${id}/${kind}`).sort(),
  }
}

async function keysIn({ vectors, pictures }: Pick<Services, 'vectors' | 'pictures'>) {
  const found = { vectors: [] as VectorKey[], pictures: [] as PictureFile[] }
  for await (const key of vectors.keys()) found.vectors.push(key)
  for await (const file of pictures.list()) found.pictures.push(file)
  return found
}

/** The keys that these faces must have. */
export const keptOf = (...faces: { owner?: string; id: number; galleries?: string[] }[]) => ({
  vectors: faces
    .flatMap(({ owner = OWNER, id, galleries = [] }) =>
      ['default', ...galleries].map(gallery => `${owner}_${gallery}/${id}`),
    )
    .sort(),
  pictures: faces
    .flatMap(({ owner = OWNER, id }) => [`${owner}/${id}/normalized`, `${owner}/${id}/thumbnail`])
    .sort(),
})

/** The stores hold the vectors and pictures of these faces, and no others. */
export const expectKept = async (
  services: Parameters<typeof keysOf>[0],
  ...faces: Parameters<typeof keptOf>
) => expect(await keysOf(services)).toEqual(keptOf(...faces))

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

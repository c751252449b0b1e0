/** Real stores in a data folder with two owners, and functions that list all stored data. */
import { onTestFinished } from 'vitest'
import { enrolment, given, OTHER_OWNER, OWNER } from '#bench/harness/sample-faces.ts'
import type { RpcRequest } from '#contract/rpc/operations.ts'
import { sha256 } from '#contract/rpc/signature.ts'
import type { DataKey } from '#core/encryption/encrypt.ts'
import { ownerNamed } from '#core/metadata/queries/owners.ts'
import { enrol, type FacePixels } from '#core/operations/enrol.ts'
import { openStores, type Services, servicesOf } from '#core/operations/services.ts'
import type { PictureSettings } from '#core/pictures/open.ts'
import type { StoreSettings } from '#core/vector-store/open.ts'
import { StoreUnavailable, type VectorStore } from '#core/vector-store/vector-store.ts'
import { temporaryFolder } from '#test/unit/core/folder.ts'
import { databaseFor } from '../databases.ts'

export type World = Services & { data: string; close(): Promise<void> }

/** Opens services on this data folder or a new one; the test closes them at its end. */
export async function openWorld(
  data?: string,
  dataKey?: DataKey,
  settings: PictureSettings & Pick<StoreSettings, 'shardWaitMs' | 'onShard' | 'embedder'> = {},
): Promise<World> {
  const folder = data ?? (await temporaryFolder())
  const stores = await openStores(folder, { ...settings, dataKey, database: await databaseFor(folder) })
  let closed = false
  const close = async (): Promise<void> => {
    if (closed) return
    closed = true
    await stores.close()
  }
  onTestFinished(close)
  const services = servicesOf(stores, given)
  for (const [id, name] of [
    [OWNER, 'first'],
    [OTHER_OWNER, 'second'],
  ] as const) {
    await ownerNamed(services.database, { id, name, created: 0 })
  }
  return { ...services, close, data: folder }
}

export async function enrolOne(
  services: Services,
  pixels: FacePixels,
  changed: Partial<RpcRequest<'enrol'>> = {},
): Promise<number> {
  const { faces } = await enrol(services, enrolment(1, changed), [pixels])
  return faces[0]!.id
}

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
export const away = () => Promise.reject(new StoreUnavailable('away'))

/** Idempotency fields of an enrolment. */
export const keyed = async (key: string, request: string) => ({
  idempotency: { key, requestHash: await sha256(request) },
})

/** The result of a reconciliation that found nothing to finish. */
export const FINISHED = {
  galleriesDeleted: 0,
  ownersDeleted: 0,
  reconciled: 0,
  vectorsRemoved: 0,
  picturesRemoved: 0,
  pending: 0,
}
export const IN_ORDER = { ...FINISHED, vectorsMissing: 0 }

/** The keys of all stored vectors and pictures. */
export async function kept({ vectors, pictures }: Pick<Services, 'vectors' | 'pictures'>) {
  const found = { vectors: [] as string[], pictures: [] as string[] }
  for await (const { gallery, id } of vectors.keys()) found.vectors.push(`${gallery}/${id}`)
  for await (const { owner, id, kind } of pictures.list()) found.pictures.push(`${owner}/${id}/${kind}`)
  return { vectors: found.vectors.sort(), pictures: found.pictures.sort() }
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

/** A data folder with real stores and two owners, and a look at all that is kept in it. */
import { onTestFinished } from 'vitest'
import { enrolment, given, OTHER_OWNER, OWNER } from '../../../../bench/harness/sample-faces.ts'
import type { RpcRequest } from '../../../../core/contract/rpc/operations.ts'
import { sha256 } from '../../../../core/contract/rpc/signature.ts'
import type { DataKey } from '../../../../core/encryption/encrypt.ts'
import { ownerNamed } from '../../../../core/metadata/queries/owners.ts'
import { enrol, type FacePixels } from '../../../../core/operations/enrol.ts'
import { openStores, type Services, servicesOf } from '../../../../core/operations/services.ts'
import type { PictureSettings } from '../../../../core/pictures/open.ts'
import type { StoreSettings } from '../../../../core/vector-store/open.ts'
import { StoreUnavailable, type VectorStore } from '../../../../core/vector-store/vector-store.ts'
import { temporaryFolder } from '../../../unit/core/folder.ts'
import { databaseFor } from '../databases.ts'

export type World = Services & { data: string; close(): Promise<void> }

/** The parts of a service on this data folder, or on a new one; closed with the test unless that was done before. */
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

/** The world's store, but for what it does otherwise. */
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

/** What a store rejects with while the shard that is asked for is away. */
export const away = () => Promise.reject(new StoreUnavailable('away'))

/** The record of an Idempotency-Key. */
export const keyed = async (key: string, request: string) => ({
  idempotency: { key, requestHash: await sha256(request) },
})

/** That there was nothing to finish, and that a reconciliation found nothing missing either. */
export const FINISHED = {
  galleriesDeleted: 0,
  ownersDeleted: 0,
  reconciled: 0,
  vectorsRemoved: 0,
  picturesRemoved: 0,
  pending: 0,
}
export const IN_ORDER = { ...FINISHED, vectorsMissing: 0 }

/** All that is kept anywhere: to see that something is wholly there, or wholly gone. */
export async function kept({ vectors, pictures }: Pick<Services, 'vectors' | 'pictures'>) {
  const found = { vectors: [] as string[], pictures: [] as string[] }
  for await (const { gallery, id } of vectors.keys()) found.vectors.push(`${gallery}/${id}`)
  for await (const { owner, id, kind } of pictures.list()) found.pictures.push(`${owner}/${id}/${kind}`)
  return { vectors: found.vectors.sort(), pictures: found.pictures.sort() }
}

/** What must be kept of these faces. */
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

/** Measures in the background how alike the people of large galleries are. */
import { FACE_LIMITS } from '../../../contract/limits/faces.ts'
import { SEARCH_TARGETS } from '../../../contract/model/face.ts'
import { GALLERY_OF_OWNER, storeGallery } from '../../../contract/model/gallery.ts'
import {
  measuredGalleries,
  type OwnedGallery,
  type StoredAlikeness,
  storeAlikeness,
} from '../../metadata/queries/alikenesses.ts'
import { ownerIds } from '../../metadata/queries/owners.ts'
import { StoreUnavailable } from '../../vector-store/vector-store.ts'
import { type RepeatedTask, repeatedly } from '../repeatedly.ts'
import type { Services } from '../services.ts'
import { measureAlikeness } from './alikeness.ts'
import { methodOf, sameHuman, sizeOf } from './judgement.ts'

type MeasuredServices = Pick<Services, 'database' | 'vectors' | 'scale'>

/**
 * Measures the large galleries that were never measured, or whose size has changed by a tenth. Removes measurements of deleted
 * and of smaller galleries. `isStopping` ends the work early. Returns the number of measured galleries.
 */
export async function measureGalleries(
  services: MeasuredServices,
  isStopping: () => boolean = () => false,
): Promise<number> {
  const owners = new Set(await ownerIds(services.database))
  const stored = await measuredGalleries(services.database)
  const galleries = await services.vectors.galleries()
  const sizes = new Map(
    galleries
      .map(gallery => [gallery.gallery, sizeOf(gallery)] as const)
      .filter(([, faces]) => faces > FACE_LIMITS.judgedAtOnce),
  )
  for (const { owner, gallery } of stored)
    if (!sizes.has(storeGallery(owner, gallery)))
      await storeAlikeness(services.database, { owner, gallery }, [])
  let measured = 0
  for (const [name, faces] of sizes) {
    const [, owner, gallery] = GALLERY_OF_OWNER.exec(name) ?? []
    // A measurement refers to its owner. The store can have vectors of owners who do not exist.
    if (owner === undefined || gallery === undefined || !owners.has(owner)) continue
    const isCurrent = stored.some(
      row =>
        row.owner === owner &&
        row.gallery === gallery &&
        row.scale === methodOf(services.scale) &&
        Math.abs(faces - row.faces) < row.faces * GROWTH,
    )
    if (isCurrent) continue
    if (isStopping()) break
    await storeAlikeness(
      services.database,
      { owner, gallery },
      await rowsOf(services, { owner, gallery }, faces),
    )
    measured++
  }
  return measured
}

/** Change of a gallery's size, as a share of its faces, after which it is measured again. */
const GROWTH = 0.1

async function rowsOf(
  services: MeasuredServices,
  scope: OwnedGallery,
  faces: number,
): Promise<StoredAlikeness[]> {
  const rows = []
  for (const target of SEARCH_TARGETS) {
    const { people, ...alikeness } = await measureAlikeness(
      services,
      scope,
      target,
      sameHuman(services.scale),
    )
    rows.push({ ...scope, target, scale: methodOf(services.scale), faces, people, alikeness })
  }
  return rows
}

/** The next repetition measures what an unavailable shard prevented. */
function unlessUnavailable(error: unknown): number {
  if (!(error instanceof StoreUnavailable)) throw error
  return 0
}

/** Repeats the measurement while requests are served. `tell` receives the number of measured galleries, and errors. */
export const keepMeasuring = (
  services: MeasuredServices,
  tell: { done(galleries: number): void; failed(error: unknown): void },
): RepeatedTask =>
  repeatedly(FACE_LIMITS.judgeEveryMs, isStopping =>
    measureGalleries(services, isStopping).catch(unlessUnavailable).then(tell.done, tell.failed),
  )

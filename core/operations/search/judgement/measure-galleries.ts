/** Measures in the background how alike the people of large galleries are. */
import { FACE_LIMITS } from '../../../../contract/limits/faces.ts'
import { SEARCH_TARGETS } from '../../../../contract/model/face.ts'
import { GALLERY_OF_OWNER, storeGallery } from '../../../../contract/model/gallery.ts'
import { ownerIds } from '../../../metadata/access/owners.ts'
import {
  measuredGalleries,
  type OwnedGallery,
  type StoredAlikeness,
  storeAlikeness,
} from '../../../metadata/galleries/alikenesses.ts'
import { personCount } from '../../../metadata/persons/persons.ts'
import { StoreUnavailable } from '../../../vector-store/vector-store.ts'
import { type RepeatedTask, repeatedly } from '../../repeatedly.ts'
import type { Services } from '../../services.ts'
import { measureAlikeness } from './alikeness.ts'
import { countsPersons, methodOf, sizeOf } from './judgement.ts'

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
    const persons = await personCount(services.database, owner)
    const theirs = stored.filter(
      row => row.owner === owner && row.gallery === gallery && row.scale === methodOf(services.scale),
    )
    const isCurrent =
      theirs.length > 0 &&
      theirs.every(row => {
        const [now, then] = countsPersons(row, row.target) ? [persons, row.people] : [faces, row.faces]
        return Math.abs(now - then) <= then * STALE_GROWTH
      })
    if (isCurrent) continue
    if (isStopping()) break
    const rows = await rowsOf(services, { owner, gallery }, { faces, persons }, isStopping)
    if (isStopping()) break
    await storeAlikeness(services.database, { owner, gallery }, rows)
    measured++
  }
  return measured
}

/** Change of a gallery's size, as a share of it, after which it is measured again. */
const STALE_GROWTH = 0.1

async function rowsOf(
  services: MeasuredServices,
  scope: OwnedGallery,
  { faces, persons }: { faces: number; persons: number },
  isStopping: () => boolean,
): Promise<StoredAlikeness[]> {
  const rows = []
  for (const target of SEARCH_TARGETS) {
    const { people: measured, ...alikeness } = await measureAlikeness(services, scope, target, isStopping)
    // Persons without faces count, as in the comparison: they would else look like a change for ever.
    const people = countsPersons(scope, target) ? persons : measured
    rows.push({ ...scope, target, scale: methodOf(services.scale), faces, people, alikeness })
  }
  return rows
}

/** The next repetition measures galleries that an unavailable shard prevented. */
function unlessUnavailable(error: unknown) {
  if (!(error instanceof StoreUnavailable)) throw error
  return 0
}

/** Repeats the measurement while requests are served. `tell` receives the number of measured galleries, and errors. */
export const measureRepeatedly = (
  services: MeasuredServices,
  tell: { done(galleries: number): void; failed(error: unknown): void },
): RepeatedTask =>
  repeatedly(FACE_LIMITS.judgeEveryMs, isStopping =>
    measureGalleries(services, isStopping).catch(unlessUnavailable).then(tell.done, tell.failed),
  )

/** Queries on how alike the people of large galleries are. */
import { and, eq, notInArray } from 'drizzle-orm'
import type { SearchTarget } from '../../../contract/model/face.ts'
import type { Database } from '../database.ts'
import { alikenesses } from '../persons/schema.ts'

export type StoredAlikeness = typeof alikenesses.$inferSelect

/** A gallery of an owner. */
export interface OwnedGallery {
  owner: string
  gallery: string
}

const isOf = ({ owner, gallery }: OwnedGallery) =>
  and(eq(alikenesses.owner, owner), eq(alikenesses.gallery, gallery))

export async function alikenessOf(
  database: Database,
  gallery: OwnedGallery,
  target: SearchTarget,
): Promise<StoredAlikeness | undefined> {
  const [row] = await database
    .select()
    .from(alikenesses)
    .where(and(isOf(gallery), eq(alikenesses.target, target)))
  return row
}

/** Replaces the measurements of a gallery. */
export async function storeAlikeness(
  database: Database,
  gallery: OwnedGallery,
  rows: readonly StoredAlikeness[],
): Promise<void> {
  const targets = rows.map(({ target }) => target)
  await database.batch([
    database.delete(alikenesses).where(and(isOf(gallery), notInArray(alikenesses.target, targets))),
    ...rows.map(row =>
      database
        .insert(alikenesses)
        .values(row)
        .onConflictDoUpdate({
          target: [alikenesses.owner, alikenesses.gallery, alikenesses.target],
          set: row,
        }),
    ),
  ])
}

/** All measured galleries, and the number of their faces then. */
export const measuredGalleries = (database: Database): Promise<Omit<StoredAlikeness, 'alikeness'>[]> =>
  database
    .select({
      owner: alikenesses.owner,
      gallery: alikenesses.gallery,
      target: alikenesses.target,
      scale: alikenesses.scale,
      faces: alikenesses.faces,
      people: alikenesses.people,
    })
    .from(alikenesses)

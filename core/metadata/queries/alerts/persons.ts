/** Statements that let deliveries and rules follow changes of persons: order, cool-down and conditions concern the present ones. */
import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { alerts, deliveries } from '../../alert-schema.ts'
import type { Database } from '../../database.ts'

/** Persons that become the person `id` if a condition holds. */
interface Merge {
  id: number
  others: readonly number[]
  allExist: SQL
}

/** Statement after a merge: deliveries about the merged persons are about `id`. Persons of deliveries are JSON. */
export const mergeDeliveries = (database: Database, owner: string, { id, others, allExist }: Merge) =>
  database
    .update(deliveries)
    .set({ person: String(id) })
    .where(
      and(
        eq(deliveries.owner, owner),
        inArray(
          deliveries.alert,
          database.select({ id: alerts.id }).from(alerts).where(eq(alerts.owner, owner)),
        ),
        inArray(deliveries.person, others.map(String)),
        allExist,
      ),
    )

/** Statement after a merge: rules about one of the merged persons are about `id`. */
export const mergeConditions = (database: Database, owner: string, { id, others, allExist }: Merge) => {
  const list = sql.join(
    others.map(other => sql`${other}`),
    sql`, `,
  )
  const chosen = sql`json_each(${alerts.conditions}, '$.person_ids')`
  const merged = sql`(SELECT json_group_array(DISTINCT CASE WHEN value IN (${list}) THEN CAST(${id} AS INTEGER) ELSE value END) FROM ${chosen})`
  return database
    .update(alerts)
    .set({ conditions: sql`json_set(${alerts.conditions}, '$.person_ids', json(${merged}))` })
    .where(
      and(eq(alerts.owner, owner), sql`EXISTS (SELECT 1 FROM ${chosen} WHERE value IN (${list}))`, allExist),
    )
}

/** Statement after a change of the persons of faces: their deliveries follow. */
export const moveDeliveries = (database: Database, owner: string, ids: readonly number[]) =>
  database
    .update(deliveries)
    .set({
      person: sql`(SELECT person_id FROM faces WHERE faces.owner = ${owner} AND faces.id = ${deliveries.face})`,
    })
    .where(and(eq(deliveries.owner, owner), inArray(deliveries.face, [...ids])))

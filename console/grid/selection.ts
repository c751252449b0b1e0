/** Sets of selected items. */

/** The set with this id added, or removed. */
export function toggled(selected: ReadonlySet<number>, id: number): ReadonlySet<number> {
  const ids = new Set(selected)
  if (!ids.delete(id)) ids.add(id)
  return ids
}

/** What cores on one database have to have in common: with another embedder, or keys of their own, each would serve half. */

export interface Shared {
  /** What chips are embedded with. */
  embedder: string
  /** Ids of the keys that are accepted, of edges and of links to pictures; nothing secret. */
  edge: string[]
  links: string[]
}

/** What two cores differ in; undefined when they can work side by side. One key that both know is enough: they may be rotated. */
export function differenceOf(one: Shared, other: Shared): string | undefined {
  const apart = (mine: readonly string[], theirs: readonly string[]) => !mine.some(id => theirs.includes(id))
  if (one.embedder !== other.embedder)
    return `embeds with ${other.embedder}, and this one with ${one.embedder}`
  if (apart(one.edge, other.edge)) return 'has another secret of edges: MIEN_EDGE_SECRET, or secrets.json'
  if (apart(one.links, other.links)) return 'has another key of links: copy secrets.json'
  return undefined
}

/** What cores on one database have to have in common: with another embedder, or other keys of links, each would serve half. */

export interface Shared {
  /** What chips are embedded with. */
  embedder: string
  /** Ids of the keys of links to pictures that are accepted; nothing secret. */
  links: string[]
}

/** What another core differs in; undefined when both can work side by side. One key that both know is enough: they may be rotated. */
export function differenceOf(mine: Shared, other: Shared): string | undefined {
  if (mine.embedder !== other.embedder)
    return `embeds with ${other.embedder}, and this one with ${mine.embedder}`
  if (!mine.links.some(id => other.links.includes(id)))
    return 'signs links to pictures with a key that this one does not know: copy its secrets.json'
  return undefined
}

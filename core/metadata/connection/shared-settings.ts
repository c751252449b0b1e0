/** What cores on one database have to have in common: else each would serve half. */

export interface SharedSettings {
  /** What chips are embedded with. */
  embedder: string
  /** Ids of the keys of links to pictures that are accepted; nothing secret. */
  links: string[]
  /** Where the bucket is that pictures are kept in; null for a folder, which may be common too. */
  bucket: string | null
}

/** What another core differs in; undefined when both can work side by side. One key that both know is enough: they may be rotated. */
export function differenceOf(mine: SharedSettings, other: SharedSettings): string | undefined {
  if (mine.embedder !== other.embedder)
    return `embeds with ${other.embedder}, and this one with ${mine.embedder}`
  if (!mine.links.some(id => other.links.includes(id)))
    return 'signs links to pictures with a key that this one does not know: copy its secrets.json'
  if (mine.bucket !== other.bucket)
    return `keeps pictures in ${placeOf(other)}, and this one in ${placeOf(mine)}`
  return undefined
}

const placeOf = ({ bucket }: SharedSettings): string =>
  bucket === null ? 'a folder' : `the bucket at ${bucket}`

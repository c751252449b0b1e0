/** What all cores of one database have to share, and how one core differs from another. */

export interface SharedSettings {
  /** Label of the embedder. */
  embedder: string
  /** Ids of the accepted signing keys for picture links. Contains no secret. */
  links: string[]
  /** Address of the bucket that holds the pictures; null for a folder, which cores can share as well. */
  bucket: string | null
}

/**
 * The difference to another core; undefined when both can work side by side. One common link key is enough: keys are
 * rotated.
 */
export function differenceOf(mine: SharedSettings, other: SharedSettings): string | undefined {
  if (mine.embedder !== other.embedder)
    return `embeds with ${other.embedder}, and this one with ${mine.embedder}`
  if (!mine.links.some(id => other.links.includes(id)))
    return 'signs links to pictures with a key that this one does not know: copy its secrets.json'
  if (mine.bucket !== other.bucket)
    return `keeps pictures in ${placeOf(other)}, and this one in ${placeOf(mine)}`
  return undefined
}

const placeOf = ({ bucket }: SharedSettings) => (bucket === null ? 'a folder' : `the bucket at ${bucket}`)

/** The number of faces of a gallery and the state of its index. */
import { useState } from 'preact/hooks'
import type { GalleryStatistics } from '../../clients/typescript/src/index.ts'
import { useService } from '../connection/context.ts'
import { useTask } from '../connection/task.ts'
import { formatShare } from '../format.ts'
import { TEXTS } from '../texts.ts'

/** Loads the state again when `changes` grows, and shows the last one meanwhile. */
export function GalleryState({ name, changes }: { name: string; changes: number }) {
  const { client } = useService()
  const state = useTask(signal => client.galleries.statistics({ signal }).toArray(), [name, changes])
  const [last, setLast] = useState<GalleryStatistics>()
  const gallery = state.state === 'done' ? state.value.find(one => one.name === name) : last
  if (gallery !== last) setLast(gallery)
  return <p class="gallery-state">{gallery && <Counts gallery={gallery} />}</p>
}

export const Counts = ({ gallery }: { gallery: GalleryStatistics }) => {
  const { faces, vectors = faces, retention_days: days } = gallery
  return (
    <span class="counts">
      <span class="faces-count">{TEXTS.galleries.faces(faces)}</span>
      {faces > 0 && <span>{indexState(gallery)}</span>}
      {vectors < faces && <span class="missing">{TEXTS.galleries.missing(faces - vectors)}</span>}
      {days !== undefined && <span>{TEXTS.galleries.days(days)}</span>}
    </span>
  )
}

/** How a search finds the faces of a gallery. */
export function indexState({ index, indexed = 0, vectors = 0 }: GalleryStatistics): string {
  if (index === undefined) return TEXTS.galleries.unknown
  if (index === 'none') return TEXTS.galleries.exact
  if (index === 'building') return TEXTS.galleries.building
  return indexed >= vectors
    ? TEXTS.galleries.indexed
    : TEXTS.galleries.partlyIndexed(formatShare(indexed / vectors))
}

/** The number of faces of a gallery and the state of its index. */
import type { GalleryStatistics } from '../../clients/typescript/src/index.ts'
import { useService } from '../connection/service.ts'
import { useTask } from '../connection/task.ts'
import { TEXTS } from '../texts.ts'

interface Properties {
  name: string
  /** Another number loads the state again. */
  changes: number
  /** True while faces are being enrolled: an empty gallery is not called empty. */
  isGrowing?: boolean
}

export function GalleryState({ name, changes, isGrowing }: Properties) {
  const { client } = useService()
  const state = useTask(signal => client.galleries.statistics({ signal }).toArray(), [name], [changes])
  const gallery = state.value?.find(one => one.name === name)
  return (
    <p class="gallery-state">
      {gallery && !(isGrowing && gallery.faces === 0) && <Counts gallery={gallery} />}
    </p>
  )
}

export const Counts = ({ gallery }: { gallery: GalleryStatistics }) => {
  const { faces, vectors = faces, retention_days: days } = gallery
  return (
    <span class="row hint counts">
      <span class="faces-count">{TEXTS.galleries.faces(faces)}</span>
      {faces > 0 && <span>{TEXTS.galleries.index(gallery)}</span>}
      {vectors < faces && <span class="missing">{TEXTS.galleries.missing(faces - vectors)}</span>}
      {days !== undefined && <span>{TEXTS.galleries.days(days)}</span>}
    </span>
  )
}

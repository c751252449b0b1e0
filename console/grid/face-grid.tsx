/** A grid of faces that can be selected. */
import type { Face } from '../../clients/typescript/src/index.ts'
import { TEXTS } from '../texts.ts'
import { FaceTile } from './face-tile.tsx'
import type { PagedList } from './paged-list.ts'
import { TileGrid } from './tile-grid.tsx'

/** The set with this id added, or removed. */
function toggled(selected: ReadonlySet<number>, id: number): ReadonlySet<number> {
  const ids = new Set(selected)
  if (!ids.delete(id)) ids.add(id)
  return ids
}

interface Properties {
  list: PagedList<Face>
  selected: ReadonlySet<number>
  /** Undefined: faces cannot be selected. */
  onSelected: ((ids: ReadonlySet<number>) => void) | undefined
  /** What the page says when the list is empty. */
  empty: string
  /** True while faces are being added: the loaded ones are not called all. */
  isGrowing?: boolean
}

export const FaceGrid = ({ list, selected, onSelected, empty, isGrowing }: Properties) => (
  <TileGrid
    list={list}
    label={TEXTS.gallery.grid}
    count={(loaded, isAll) => TEXTS.gallery.loaded(loaded, isAll && !isGrowing)}
    empty={empty}
  >
    {face => (
      <FaceTile
        face={face}
        isSelected={selected.has(face.id)}
        onToggle={onSelected && (id => onSelected(toggled(selected, id)))}
      />
    )}
  </TileGrid>
)

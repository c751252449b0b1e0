/** A grid of faces that can be selected. */
import type { ComponentChildren } from 'preact'
import type { Face } from '../../clients/typescript/src/index.ts'
import { Thumbnail } from '../components/face-boxes.tsx'
import { formatDate, formatDay } from '../format.ts'
import { hashOf } from '../route.ts'
import { TEXTS } from '../texts.ts'
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
  /** Text of an empty list. */
  empty: string
  /** True while faces are being added: the loaded ones are not called all. */
  isGrowing?: boolean
  /** Actions above the faces. */
  children?: ComponentChildren
}

export const FaceGrid = ({ list, selected, onSelected, empty, isGrowing, children }: Properties) => (
  <TileGrid
    list={list}
    label={TEXTS.gallery.grid}
    count={(loaded, isAll) => TEXTS.gallery.loaded(loaded, isAll && !isGrowing)}
    empty={empty}
    actions={children}
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

interface TileProperties {
  face: Face
  isSelected: boolean
  /** Undefined: the face cannot be selected. */
  onToggle: ((id: number) => void) | undefined
}

/** Picture, meta and time of a face, and a checkbox where it can be selected. */
const FaceTile = ({ face, isSelected, onToggle }: TileProperties) =>
  onToggle ? (
    <label class={`tile${isSelected ? ' selected' : ''}`}>
      <input
        type="checkbox"
        checked={isSelected}
        aria-label={TEXTS.gallery.face(face.meta, face.timestamp)}
        onChange={() => onToggle(face.id)}
      />
      <Content face={face} />
    </label>
  ) : (
    <div class="tile">
      <Content face={face} />
    </div>
  )

const Content = ({ face }: { face: Face }) => (
  <>
    <Thumbnail face={face} />
    <strong class="tile-meta" title={face.meta}>
      {face.meta || TEXTS.try.noMeta}
    </strong>
    <span class="line">
      <span class="hint" title={formatDate(face.timestamp)}>
        {formatDay(face.timestamp)}
      </span>
      <a
        class="push"
        href={hashOf({ page: 'face', id: face.id })}
        aria-label={TEXTS.face.openNamed(face.meta)}
      >
        {TEXTS.face.open}
      </a>
    </span>
  </>
)

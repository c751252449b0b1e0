/** A face in the grid: a checkbox with its picture, meta and time. */
import type { Face } from '../../clients/typescript/src/index.ts'
import { Thumbnail } from '../components/thumbnail.tsx'
import { formatDate, formatDay } from '../format.ts'
import { TEXTS } from '../texts.ts'

interface Properties {
  face: Face
  isSelected: boolean
  onToggle: (id: number) => void
}

export const FaceTile = ({ face, isSelected, onToggle }: Properties) => (
  <label class={`tile${isSelected ? ' selected' : ''}`}>
    <input
      type="checkbox"
      checked={isSelected}
      aria-label={TEXTS.gallery.face(face.meta, face.timestamp)}
      onChange={() => onToggle(face.id)}
    />
    <Thumbnail face={face} />
    <span class="tile-meta" title={face.meta}>
      {face.meta || TEXTS.try.noMeta}
    </span>
    <span class="hint" title={formatDate(face.timestamp)}>
      {formatDay(face.timestamp)}
    </span>
  </label>
)

/** A face in the grid: its picture, meta and time, and a checkbox where it can be selected. */
import type { Face } from '../../clients/typescript/src/index.ts'
import { Thumbnail } from '../components/thumbnail.tsx'
import { formatDate, formatDay } from '../format.ts'
import { TEXTS } from '../texts.ts'

interface Properties {
  face: Face
  isSelected: boolean
  /** Undefined: the face cannot be selected. */
  onToggle: ((id: number) => void) | undefined
}

export const FaceTile = ({ face, isSelected, onToggle }: Properties) =>
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
    <span class="tile-meta" title={face.meta}>
      {face.meta || TEXTS.try.noMeta}
    </span>
    <span class="hint" title={formatDate(face.timestamp)}>
      {formatDay(face.timestamp)}
    </span>
  </>
)

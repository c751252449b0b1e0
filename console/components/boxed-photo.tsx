/** A photo with a numbered box at each face. A click on a box selects the face. */
import type { Box } from '../../clients/typescript/src/index.ts'
import { formatCount } from '../format.ts'
import { placeOf } from '../photos/boxes.ts'
import type { ShownPhoto } from '../photos/photo.ts'
import { TEXTS } from '../texts.ts'

interface Properties {
  photo: ShownPhoto
  boxes: readonly Box[]
  selected: number | undefined
  onSelect: (index: number) => void
}

export const BoxedPhoto = ({ photo, boxes, selected, onSelect }: Properties) => (
  <div class="boxed-photo">
    <img src={photo.src} alt={TEXTS.input.pictureOf(photo.file.name)} />
    {photo.size &&
      boxes.map((box, i) => (
        <button
          key={`${box.x1} ${box.y1}`}
          type="button"
          class="face-box"
          aria-pressed={selected === i}
          aria-label={TEXTS.try.face(i + 1)}
          style={placeOf(box, photo.size!)}
          onClick={() => onSelect(i)}
        >
          <span>{formatCount(i + 1)}</span>
        </button>
      ))}
  </div>
)

/** Faces on pictures: thumbnails of enrolled ones, crops of photos, boxes on photos, and how alike two are. */
import type { Box, Face } from '../../clients/typescript/src/index.ts'
import { sameOrigin, useService } from '../connection/service.ts'
import { formatCount, formatNumber } from '../format.ts'
import { cropStyle, placeOf, type ShownPhoto } from '../photos/photo.ts'
import { TEXTS } from '../texts.ts'
import { THRESHOLDS, tierOf } from '../thresholds.ts'

interface CropProperties {
  photo: ShownPhoto
  box: Box
  label: string
}

/** The part of a photo around a box. */
export const Crop = ({ photo, box, label }: CropProperties) => (
  <div class="crop" role="img" aria-label={label}>
    {photo.size && <img src={photo.src} alt="" style={cropStyle(box, photo.size)} />}
  </div>
)

/** The thumbnail of an enrolled face, by its signed link. */
export function Thumbnail({
  face,
  label = '',
}: {
  face: Pick<Face, 'thumbnail'> | undefined
  label?: string
}) {
  const { url } = useService()
  const src = sameOrigin(url, face?.thumbnail ?? '')
  return src === '' ? (
    <span class="thumbnail none" />
  ) : (
    <img class="thumbnail" src={src} alt={label} loading="lazy" decoding="async" />
  )
}

interface BoxedProperties {
  photo: ShownPhoto
  boxes: readonly Box[]
  selected: number | undefined
  onSelect: (index: number) => void
}

/** A photo with a numbered box at each face. A click on a box selects the face. */
export const BoxedPhoto = ({ photo, boxes, selected, onSelect }: BoxedProperties) => (
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

const MARKS = Object.entries(THRESHOLDS) as [keyof typeof THRESHOLDS, number][]

/** A confidence as a bar with the named thresholds marked. */
export function Confidence({ value }: { value: number }) {
  const tier = tierOf(value)
  return (
    <div class={`confidence ${tier}`}>
      <div class="bar" aria-hidden="true">
        <div class="fill" style={{ width: `${100 * value}%` }} />
        {MARKS.map(([name, at]) => (
          <span key={name} class={`mark ${name}`} style={{ left: `${100 * at}%` }}>
            <i>{TEXTS.confidence.tiers[name]}</i>
          </span>
        ))}
      </div>
      <p class="value">
        <span class="visually-hidden">{TEXTS.confidence.label} </span>
        {formatNumber(value)}
        <span class="visually-hidden"> ({TEXTS.confidence.tiers[tier]})</span>
      </p>
    </div>
  )
}

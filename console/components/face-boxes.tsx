/** Faces: thumbnails of enrolled ones, crops of photos, boxes on photos, who they are, and how alike two are. */
import type { Box, Face } from '../../clients/typescript/src/index.ts'
import { sameOrigin, useClient, useService, useStore } from '../connection/service.ts'
import { type Task, useTask } from '../connection/task.ts'
import { formatCount, formatNumber } from '../format.ts'
import { cropStyle, placeOf, type ShownPhoto } from '../photos/photo.ts'
import { hashOf } from '../route.ts'
import { TEXTS } from '../texts.ts'
import { THRESHOLDS, tierOf } from '../thresholds.ts'
import type { Who } from '../who.ts'

export interface CropProperties {
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

/** The thumbnail of an enrolled face, by its signed link. It is loaded again when the connection is back. */
export function Thumbnail({
  face,
  label = '',
}: {
  face: Pick<Face, 'thumbnail'> | undefined
  label?: string
}) {
  const { url, recoveries } = useService()
  const attempt = useStore(recoveries)
  const src = sameOrigin(url, face?.thumbnail ?? '')
  return src === '' ? (
    <span class="thumbnail none" />
  ) : (
    <img key={attempt} class="thumbnail" src={src} alt={label} loading="lazy" decoding="async" />
  )
}

interface BoxedProperties {
  photo: ShownPhoto
  boxes: readonly Box[]
  /** The persons of the faces, written on the boxes: null for an unknown person, undefined before the search. */
  who?: readonly (Who | null | undefined)[]
  selected: number | undefined
  onSelect: (index: number) => void
}

/** A photo with a box at each face, with its number and who it is. A click on a box selects the face. */
export const BoxedPhoto = ({ photo, boxes, who = [], selected, onSelect }: BoxedProperties) => (
  <div class="boxed-photo">
    <img src={photo.src} alt={TEXTS.input.pictureOf(photo.file.name)} />
    {photo.size &&
      boxes.map((box, i) => (
        <button
          key={`${box.x1} ${box.y1}`}
          type="button"
          class={`bare face-box${box.x1 + box.x2 > photo.size!.width ? ' on-right' : ''}`}
          aria-pressed={selected === i}
          style={placeOf(box, photo.size!)}
          onClick={() => onSelect(i)}
        >
          <span>
            <i class="visually-hidden">{TEXTS.try.faceWord}</i> {formatCount(i + 1)}{' '}
            <b>{who[i] === null ? TEXTS.who.unknown : who[i]?.name}</b>{' '}
            {who[i]?.certainty && <small>{TEXTS.who.words[who[i]!.certainty!]}</small>}
          </span>
        </button>
      ))}
  </div>
)

interface WhoProperties {
  who: Who | undefined
  person?: number
  /** The service is asked who it is. */
  isLoading?: boolean
}

/** A name, with a link to the `person`, and a word that says how sure the service is. */
export const WhoLine = ({ who, person, isLoading = false }: WhoProperties) => (
  <span class="row who">
    <strong title={who?.name}>
      {person === undefined ? (
        (who?.name ?? (isLoading ? '…' : TEXTS.who.unknown))
      ) : (
        <a href={hashOf({ page: 'person', id: person })}>{who?.name}</a>
      )}
    </strong>
    {who?.certainty && <span class={`hint dot ${who.certainty}`}>{TEXTS.who.words[who.certainty]}</span>}
  </span>
)

/** A stored face, with its person and how sure that is. It is loaded again when `changes` changes. */
export function useSeenFace(id: number | undefined, changes = 0): Task<Face> {
  const client = useClient()
  const load = (signal: AbortSignal) => client.faces.get(id!, { who: true, signal })
  return useTask(id === undefined ? undefined : load, [id], [changes])
}

const MARKS = Object.entries(THRESHOLDS) as [keyof typeof THRESHOLDS, number][]

/** A confidence as a bar with the named thresholds marked. */
export function Confidence({ value }: { value: number }) {
  const tier = tierOf(value)
  return (
    <div class={`line confidence ${tier}`}>
      <div class="bar" aria-hidden="true">
        <div class="fill" style={{ width: `${100 * value}%` }} />
        {MARKS.map(([name, at]) => (
          <span key={name} class={`mark ${name}`} style={{ left: `${100 * at}%` }}>
            <i>{TEXTS.confidence.tiers[name]}</i>
          </span>
        ))}
      </div>
      <strong class="value">
        <span class="visually-hidden">{TEXTS.confidence.label} </span>
        {formatNumber(value)}
        <span class="visually-hidden"> ({TEXTS.confidence.tiers[tier]})</span>
      </strong>
    </div>
  )
}

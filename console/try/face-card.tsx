/** A detected face: its details, and its candidates. */
import type { DetectedFace, Match } from '../../clients/typescript/src/index.ts'
import { Confidence, Crop, Thumbnail } from '../components/faces.tsx'
import { Facts } from '../components/table.tsx'
import { formatCount, formatNumber } from '../format.ts'
import { entryAt, type ShownPhoto } from '../photos/photo.ts'
import { TEXTS } from '../texts.ts'

/** An enrolled face that resembles the face of a photo. */
const Candidate = ({ match: { confidence, face } }: { match: Match }) => (
  <li class="candidate">
    <Thumbnail face={face} />
    <div class="candidate-body">
      <p class="row candidate-name">
        <strong>{face.meta || TEXTS.try.noMeta}</strong>
        {face.person_id !== undefined && <small>{TEXTS.try.person(face.person_id)}</small>}
        <small>{face.galleries.join(', ')}</small>
      </p>
      <Confidence value={confidence} />
    </div>
  </li>
)

interface Properties {
  number: number
  face: DetectedFace
  photo: ShownPhoto
  /** Candidates of each searched box; undefined before the search. */
  candidates: Readonly<Record<string, Match[]>> | undefined
  isSelected: boolean
  onSelect: () => void
}

export function FaceCard({ number, face, photo, candidates, isSelected, onSelect }: Properties) {
  const matches = candidates && entryAt(candidates, face)
  return (
    <li
      id={`face-${number - 1}`}
      class={`card stack face-card${isSelected ? ' selected' : ''}`}
      onMouseEnter={onSelect}
    >
      <div class="face-head">
        <Crop photo={photo} box={face} label={TEXTS.try.face(number)} />
        <div>
          <h3>{TEXTS.try.face(number)}</h3>
          <Facts class="details" facts={factsOf(face)} />
        </div>
      </div>
      {matches && matches.length > 0 && (
        <ul class="stack candidates" aria-label={TEXTS.try.candidates}>
          {matches.map(match => (
            <Candidate key={match.face.id} match={match} />
          ))}
        </ul>
      )}
      {matches?.length === 0 && <p class="hint">{TEXTS.try.noCandidates}</p>}
    </li>
  )
}

function factsOf({ quality, liveness, age, gender, emotions }: DetectedFace): [string, string | undefined][] {
  const texts = TEXTS.try
  return [
    [texts.quality, quality?.quality === undefined ? undefined : formatNumber(quality.quality)],
    [texts.liveness, liveness === undefined ? undefined : formatNumber(liveness)],
    [texts.age, age === undefined ? undefined : formatCount(Math.round(age))],
    [texts.gender, gender && texts.genders[gender]],
    [texts.emotions, emotions?.join(', ')],
  ]
}

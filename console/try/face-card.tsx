/** A detected face and who it is. Its numbers and other candidates are folded. */
import type { DetectedFace } from '../../clients/typescript/src/index.ts'
import { Crop, Thumbnail, WhoLine } from '../components/faces.tsx'
import { Facts } from '../components/table.tsx'
import { formatCount, formatNumber } from '../format.ts'
import type { ShownPhoto } from '../photos/photo.ts'
import { TEXTS } from '../texts.ts'
import { whoOfMatch } from '../who.ts'
import type { Candidate, Identity } from './candidates.ts'

interface Properties {
  number: number
  face: DetectedFace
  photo: ShownPhoto
  /** Undefined before the search, and for a face that it left out. */
  identity: Identity | undefined
  isSelected: boolean
  onSelect: () => void
}

export function FaceCard({ number, face, photo, identity, isSelected, onSelect }: Properties) {
  const texts = TEXTS.try
  const { candidates, best } = identity ?? {}
  return (
    <li
      id={`face-${number - 1}`}
      class={`card stack tight face-card${isSelected ? ' selected' : ''}`}
      onMouseEnter={onSelect}
    >
      <div class="line face-head">
        <Crop photo={photo} box={face} label={texts.face(number)} />
        {best && <Thumbnail face={best.face} label={texts.portrait(best.name)} />}
        <div class="large">
          <h3 class="hint">{texts.face(number)}</h3>
          {identity && <WhoLine who={best && whoOfMatch(best)} />}
        </div>
      </div>
      <details>
        <summary class="hint">{texts.more(candidates?.length ?? 0)}</summary>
        <Facts class="details" facts={factsOf(face)} />
        {candidates && candidates.length > 0 && (
          <ul class="stack tight small-faces" aria-label={texts.candidates}>
            {candidates.map(candidate => (
              <CandidateLine key={candidate.key} candidate={candidate} />
            ))}
          </ul>
        )}
        {candidates?.length === 0 && <p class="hint">{texts.noCandidates}</p>}
      </details>
    </li>
  )
}

const CandidateLine = ({ candidate }: { candidate: Candidate }) => (
  <li class="line candidate">
    <Thumbnail face={candidate.face} />
    <div>
      <WhoLine who={whoOfMatch(candidate)} />
      <p class="hint">
        {TEXTS.confidence.label} {formatNumber(candidate.confidence)}
        {candidate.face.person_id !== undefined && `, ${TEXTS.try.person(candidate.face.person_id)}`}
      </p>
    </div>
  </li>
)

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

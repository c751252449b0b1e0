/** A detected face and who it is. Its numbers and other candidates are folded. */
import type { DetectedFace } from '../../clients/typescript/src/index.ts'
import { Crop, WhoLine } from '../components/face-boxes.tsx'
import { Facts } from '../components/table.tsx'
import { OpenFace } from '../faces/face-dialog.tsx'
import { formatCount, formatNumber } from '../format.ts'
import type { ShownPhoto } from '../photos/photo.ts'
import { TEXTS } from '../texts.ts'
import { personOfMatch, whoOfMatch } from '../who.ts'
import type { Candidate, Identity } from './candidates.ts'
import { OpenProbe } from './probe.tsx'

interface Properties {
  number: number
  face: DetectedFace
  photo: ShownPhoto
  /** Undefined before the search, and for a face that it left out. */
  identity: Identity | undefined
  /** The gallery that was searched. */
  gallery: string
  /** Called when the search has to be repeated. */
  onChanged: () => void
  /** Called when the visitor says that the face is not of the person. */
  onNotThem: (candidate: Candidate) => void
  isSelected: boolean
  onSelect: () => void
}

export function FaceCard({ number, face, photo, identity, gallery, isSelected, ...on }: Properties) {
  const texts = TEXTS.try
  const { candidates, best } = identity ?? {}
  return (
    <li
      id={`face-${number - 1}`}
      class={`card stack tight face-card${isSelected ? ' selected' : ''}`}
      onMouseEnter={on.onSelect}
    >
      <div class="line face-head">
        <Crop photo={photo} box={face} label={texts.face(number)} />
        {best && <OpenFace face={best.face} label={texts.portrait(best.name)} onChanged={on.onChanged} />}
        <div class="large">
          <h3 class="hint">{texts.face(number)}</h3>
          {identity && <WhoLine who={best && whoOfMatch(best)} person={best && personOfMatch(best)} />}
        </div>
      </div>
      {identity && (
        <OpenProbe
          class="quiet"
          {...{ photo, gallery, identity, box: face, label: texts.face(number) }}
          onEnrolled={on.onChanged}
          onNotThem={() => best && on.onNotThem(best)}
        >
          {TEXTS.face.thisIs}
        </OpenProbe>
      )}
      <details>
        <summary class="hint">{texts.more(candidates?.length ?? 0)}</summary>
        <Facts class="details" facts={factsOf(face)} />
        {candidates && candidates.length > 0 && (
          <ul class="stack tight small-faces" aria-label={texts.candidates}>
            {candidates.map(candidate => (
              <CandidateLine key={candidate.key} candidate={candidate} onChanged={on.onChanged} />
            ))}
          </ul>
        )}
        {candidates?.length === 0 && <p class="hint">{texts.noCandidates}</p>}
      </details>
    </li>
  )
}

const CandidateLine = ({ candidate, onChanged }: { candidate: Candidate; onChanged: () => void }) => (
  <li class="line candidate">
    <OpenFace face={candidate.face} label={TEXTS.try.portrait(candidate.name)} onChanged={onChanged} />
    <div>
      <WhoLine who={whoOfMatch(candidate)} person={personOfMatch(candidate)} />
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

/** An enrolled face that resembles the face of a photo. */
import type { Match } from '../../clients/typescript/src/index.ts'
import { Confidence } from '../components/confidence.tsx'
import { Thumbnail } from '../components/thumbnail.tsx'
import { TEXTS } from '../texts.ts'

export const Candidate = ({ match: { confidence, face } }: { match: Match }) => (
  <li class="candidate">
    <Thumbnail face={face} />
    <div class="candidate-body">
      <p class="candidate-name">
        <strong>{face.meta || TEXTS.try.noMeta}</strong>
        {face.person_id !== undefined && <small>{TEXTS.try.person(face.person_id)}</small>}
        <small>{face.galleries.join(', ')}</small>
      </p>
      <Confidence value={confidence} />
    </div>
  </li>
)

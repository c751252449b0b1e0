/** Progress of an enrolment, and the photos that are duplicates or failed with the reason of each. */
import { TEXTS } from '../texts.ts'
import type { EnrolmentProgress } from './enrolment.ts'

/** Photos of a list on the page at most. */
const MOST_SHOWN = 200

export const EnrolProgress = ({
  progress: { photos, done, faces, before, duplicates, failures },
}: {
  progress: EnrolmentProgress
}) => (
  <div class="enrol-progress">
    <progress value={done} max={photos} aria-label={TEXTS.enrol.progress} />
    <p role="status">{TEXTS.enrol.state(done, photos, faces)}</p>
    {before > 0 && <p role="status">{TEXTS.enrol.before(before)}</p>}
    {duplicates.length > 0 && (
      <Photos title={TEXTS.enrol.duplicates(duplicates.length)} photos={duplicates} />
    )}
    {failures.length > 0 && <Photos title={TEXTS.enrol.failures(failures.length)} photos={failures} />}
  </div>
)

interface PhotosProperties {
  title: string
  photos: EnrolmentProgress['failures']
}

const Photos = ({ title, photos }: PhotosProperties) => (
  <details>
    <summary>{title}</summary>
    <ul>
      {photos.slice(0, MOST_SHOWN).map(({ path, reason }) => (
        <li key={path}>
          <strong>{path}</strong> {reason}
        </li>
      ))}
    </ul>
  </details>
)

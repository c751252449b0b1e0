/** Progress of an enrolment, and the photos that failed with the reason of each. */
import { TEXTS } from '../texts.ts'
import type { EnrolmentProgress } from './enrolment.ts'

/** Failures on the page at most. */
const MOST_SHOWN = 200

export const EnrolProgress = ({
  progress: { photos, done, faces, failures },
}: {
  progress: EnrolmentProgress
}) => (
  <div class="enrol-progress">
    <progress value={done} max={photos} aria-label={TEXTS.enrol.progress} />
    <p role="status">{TEXTS.enrol.state(done, photos, faces)}</p>
    {failures.length > 0 && (
      <details>
        <summary>{TEXTS.enrol.failures(failures.length)}</summary>
        <ul>
          {failures.slice(0, MOST_SHOWN).map(({ path, reason }) => (
            <li key={path}>
              <strong>{path}</strong> {reason}
            </li>
          ))}
        </ul>
      </details>
    )}
  </div>
)

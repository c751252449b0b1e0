/** Progress of an enrolment, and the files that are skipped, are duplicates or failed, with the reason of each. */
import type { SkippedFile } from '../photos/files.ts'
import { TEXTS } from '../texts.ts'
import type { EnrolmentProgress } from './enrolment.ts'

/** Files of a list on the page at most. */
const MOST_SHOWN = 200

interface Properties {
  /** Undefined: no photo was chosen. */
  progress: EnrolmentProgress | undefined
  skipped: readonly SkippedFile[]
}

export const EnrolProgress = ({ progress, skipped }: Properties) => (
  <div class="enrol-progress">
    {progress && <State progress={progress} />}
    {skipped.length > 0 && <Files title={TEXTS.enrol.skipped(skipped.length)} files={skipped} />}
  </div>
)

const State = ({
  progress: { photos, done, faces, before, duplicates, failures },
}: {
  progress: EnrolmentProgress
}) => (
  <>
    <progress value={done} max={photos} aria-label={TEXTS.enrol.progress} />
    <p role="status">{TEXTS.enrol.state(done, photos, faces)}</p>
    {before > 0 && <p role="status">{TEXTS.enrol.before(before)}</p>}
    {duplicates.length > 0 && <Files title={TEXTS.enrol.duplicates(duplicates.length)} files={duplicates} />}
    {failures.length > 0 && <Files title={TEXTS.enrol.failures(failures.length)} files={failures} />}
  </>
)

const Files = ({ title, files }: { title: string; files: readonly SkippedFile[] }) => (
  <details>
    <summary>{title}</summary>
    <ul>
      {files.slice(0, MOST_SHOWN).map(({ path, reason }) => (
        <li key={path}>
          <strong>{path}</strong> {reason}
        </li>
      ))}
      {files.length > MOST_SHOWN && <li>{TEXTS.enrol.more(files.length - MOST_SHOWN)}</li>}
    </ul>
  </details>
)

/** Enrols dropped or chosen photos in a gallery. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { DropZone, FileButton } from '../components/drop-zone.tsx'
import { CheckField, InputField, SelectField } from '../components/fields.tsx'
import { Problem } from '../components/state.tsx'
import { useService } from '../connection/service.ts'
import { type FoundFile, type SkippedFile, sortedFiles } from '../photos/files.ts'
import { TEXTS } from '../texts.ts'
import { type EnrolmentProgress, type EnrolmentSettings, enrolPhotos } from './enrolment.ts'
import { forgetEnrolment, interruptedEnrolment, rememberEnrolment } from './enrolment-memory.ts'

interface Properties {
  gallery: string
  /** Called after each photo with the number of enrolled faces, and with undefined at the end. */
  onFaces: (faces: number | undefined) => void
}

export function EnrolPanel({ gallery, onFaces }: Properties) {
  const { client } = useService()
  const form = useRef<HTMLFormElement>(null)
  const aborter = useRef<AbortController>(undefined)
  const [progress, setProgress] = useState<EnrolmentProgress>()
  const [skipped, setSkipped] = useState<readonly SkippedFile[]>([])
  const [interrupted, setInterrupted] = useState(() => interruptionIn(gallery))
  // The fields begin with the settings of an interrupted enrolment.
  const [initial] = useState(interrupted?.settings)
  const [state, setState] = useState<'idle' | 'running' | 'stopped' | 'nothing'>('idle')
  useEffect(() => () => aborter.current?.abort(), [])

  const enrol = async (files: FoundFile[]) => {
    if (state === 'running') return
    const current = new AbortController()
    aborter.current = current
    setState('running')
    setInterrupted(undefined)
    const { photos, ...others } = sortedFiles(files)
    setProgress(undefined)
    setSkipped(others.skipped)
    const settings = settingsIn(form.current!, gallery)
    if (photos.length > 0)
      await enrolPhotos(client, photos, settings, {
        onProgress(reported) {
          setProgress(reported)
          onFaces(reported.faces)
        },
        signal: current.signal,
        memory: rememberEnrolment(settings, photos.length),
      })
    onFaces(undefined)
    if (current.signal.aborted) {
      setState('stopped')
      setInterrupted(interruptionIn(gallery))
    } else {
      setState(photos.length === 0 ? 'nothing' : 'idle')
      if (photos.length > 0) forgetEnrolment()
    }
  }
  const forget = () => {
    forgetEnrolment()
    setInterrupted(undefined)
  }
  const isRunning = state === 'running'
  return (
    <DropZone class="enrol" label={TEXTS.enrol.title} onFiles={files => void enrol(files)}>
      <div class="row choices">
        <p class="prompt">{TEXTS.enrol.drop}</p>
        {!isRunning && (
          <>
            <FileButton
              label={TEXTS.enrol.photos}
              class="primary"
              isMultiple
              onFiles={files => void enrol(files)}
            />
            <FileButton
              label={TEXTS.enrol.folder}
              class="quiet"
              isFolder
              onFiles={files => void enrol(files)}
            />
          </>
        )}
        {isRunning && (
          <button type="button" onClick={() => aborter.current?.abort()}>
            {TEXTS.enrol.stop}
          </button>
        )}
      </div>
      <form ref={form} class="row enrol-settings" onSubmit={event => event.preventDefault()}>
        <InputField
          label={TEXTS.enrol.meta}
          name="meta"
          placeholder={TEXTS.enrol.metaHint}
          defaultValue={initial?.meta}
        />
        <SelectField
          label={TEXTS.enrol.selector}
          name="selector"
          options={Object.entries(TEXTS.enrol.selectors)}
          chosen={initial?.selector}
        />
        <CheckField
          label={TEXTS.enrol.folderMeta}
          name="folders"
          defaultChecked={initial?.usesFolderNames ?? true}
        />
      </form>
      {interrupted && (
        <div class="row interrupted" role="status">
          <p>{TEXTS.enrol.interrupted(interrupted.done, interrupted.photos)}</p>
          <button type="button" class="quiet" onClick={forget}>
            {TEXTS.enrol.forget}
          </button>
        </div>
      )}
      {(progress || skipped.length > 0) && <EnrolProgress progress={progress} skipped={skipped} />}
      {state === 'stopped' && <p role="status">{TEXTS.enrol.stopped}</p>}
      {state === 'nothing' && <Problem error={TEXTS.enrol.noPhotos} />}
    </DropZone>
  )
}

/** The interrupted enrolment of this gallery. */
function interruptionIn(gallery: string) {
  const interrupted = interruptedEnrolment()
  return interrupted?.settings.gallery === gallery ? interrupted : undefined
}

function settingsIn(form: HTMLFormElement, gallery: string): EnrolmentSettings {
  const fields = new FormData(form)
  return {
    gallery,
    meta: String(fields.get('meta')),
    usesFolderNames: fields.has('folders'),
    selector: String(fields.get('selector')) as EnrolmentSettings['selector'],
  }
}

/** Files of a list on the page at most. */
const MOST_SHOWN = 200

interface ProgressProperties {
  /** Undefined: no photo was chosen. */
  progress: EnrolmentProgress | undefined
  skipped: readonly SkippedFile[]
}

/** Progress of an enrolment, and the files that are skipped, are duplicates or failed, with the reason of each. */
const EnrolProgress = ({ progress, skipped }: ProgressProperties) => (
  <div class="stack tight enrol-progress">
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

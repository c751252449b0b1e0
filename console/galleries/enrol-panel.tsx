/** Enrols dropped, pasted or chosen photos in a gallery. It shows what will happen before it sends anything. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { DropZone, FileButton } from '../components/drop-zone.tsx'
import { CheckField, InputField, SelectField } from '../components/fields.tsx'
import { Problem, Status } from '../components/state.tsx'
import { WebcamButton } from '../components/webcam.tsx'
import { store, useService, useStore } from '../connection/service.ts'
import { useToken } from '../connection/session.ts'
import { type FoundFile, faultOf, type SkippedFile } from '../photos/files.ts'
import { TEXTS } from '../texts.ts'
import { type EnrolmentProgress, enrolPhotos } from './enrolment.ts'
import { forgetEnrolment, interruptedEnrolment, rememberEnrolment } from './enrolment-memory.ts'
import { type EnrolmentPlan, type EnrolmentSettings, planOf } from './enrolment-plan.ts'
import { PortraitDialog } from './portrait-dialog.tsx'

interface Properties {
  gallery: string
  /** Called after each photo with the number of enrolled faces, and with undefined at the end. */
  onFaces: (faces: number | undefined) => void
  /** Called after the face of a portrait is enrolled. */
  onPortrait: () => void
}

export function EnrolPanel({ gallery, onFaces, onPortrait }: Properties) {
  const { client } = useService()
  const { persons: hasPersons = false } = useToken()
  const aborter = useRef<AbortController>(undefined)
  const [paused] = useState(() => store(false))
  const isPaused = useStore(paused)
  const [chosen, setChosen] = useState<readonly FoundFile[]>()
  const [progress, setProgress] = useState<EnrolmentProgress>()
  const [interrupted, setInterrupted] = useState(() => interruptionIn(gallery))
  const [settings, setSettings] = useState<EnrolmentSettings>(
    () =>
      interrupted?.settings ?? { gallery, meta: '', usesFolderNames: true, selector: 'biggest', hasPersons },
  )
  const [state, setState] = useState<'idle' | 'running' | 'stopped'>('idle')
  const [portrait, setPortrait] = useState<File>()
  const [named, setNamed] = useState<string>()
  const plan = useMemo(() => chosen && planOf(chosen, settings), [chosen, settings])
  useEffect(() => () => aborter.current?.abort(), [])

  const choose = (files: FoundFile[]) => {
    if (state === 'running') return
    setChosen(files)
    setNamed(undefined)
    setProgress(undefined)
    setState('idle')
  }
  const enrol = async (photos: readonly FoundFile[]) => {
    const current = new AbortController()
    aborter.current = current
    setState('running')
    setChosen(undefined)
    setInterrupted(undefined)
    await enrolPhotos(client, photos, settings, {
      onProgress(reported) {
        setProgress(reported)
        onFaces(reported.faces)
      },
      turn: () => released(paused),
      signal: current.signal,
      memory: rememberEnrolment(settings, photos.length),
    })
    onFaces(undefined)
    if (!current.signal.aborted) forgetEnrolment()
    setState(current.signal.aborted ? 'stopped' : 'idle')
    setInterrupted(interruptionIn(gallery))
  }
  const cancel = () => {
    aborter.current?.abort()
    paused.set(false)
  }
  // A pasted picture has no name that says whose it is.
  const paste = (files: FoundFile[]) => {
    const [only, second] = files
    if (only && !second && faultOf(only.file) === undefined) setPortrait(only.file)
    else choose(files)
  }
  const nameEnrolled = (name: string, seen: number | undefined) => {
    setNamed(TEXTS.portrait.done(name, seen))
    onPortrait()
  }
  const forget = () => {
    forgetEnrolment()
    setInterrupted(undefined)
  }
  return (
    <DropZone class="enrol" label={TEXTS.enrol.title} onFiles={choose} onPasted={paste}>
      <div class="row centered choices">
        {state === 'running' ? (
          <>
            <button type="button" onClick={() => paused.set(!isPaused)}>
              {isPaused ? TEXTS.enrol.continue : TEXTS.enrol.pause}
            </button>
            <button type="button" class="quiet" onClick={cancel}>
              {TEXTS.cancel}
            </button>
          </>
        ) : (
          <>
            <p class="whole prompt">{TEXTS.enrol.drop}</p>
            <p class="whole hint">{TEXTS.enrol.hint}</p>
            <FileButton label={TEXTS.enrol.photos} class="primary" isMultiple onFiles={choose} />
            <FileButton label={TEXTS.enrol.folder} class="quiet" isFolder onFiles={choose} />
            <WebcamButton label={TEXTS.portrait.take} onPhoto={setPortrait} />
          </>
        )}
      </div>
      {state !== 'running' && <Settings settings={settings} onChange={setSettings} />}
      {interrupted && (
        <div class="row note interrupted" role="status">
          <p>{TEXTS.enrol.interrupted(interrupted.done, interrupted.photos)}</p>
          <button type="button" class="quiet" onClick={forget}>
            {TEXTS.enrol.forget}
          </button>
        </div>
      )}
      {plan && (
        <Plan plan={plan} onEnrol={() => void enrol(plan.photos)} onCancel={() => setChosen(undefined)} />
      )}
      {progress && (
        <Progress
          progress={progress}
          onRetry={state === 'idle' ? () => void enrol(progress.failures) : undefined}
        />
      )}
      {isPaused && <p role="status">{TEXTS.enrol.paused}</p>}
      {state === 'running' && progress?.isWaiting && <Status text={TEXTS.enrol.busy} />}
      {named !== undefined && <p role="status">{named}</p>}
      {portrait && (
        <PortraitDialog
          gallery={gallery}
          photo={portrait}
          onEnrolled={nameEnrolled}
          onClose={() => setPortrait(undefined)}
        />
      )}
      {state === 'stopped' && <p role="status">{TEXTS.enrol.stopped}</p>}
    </DropZone>
  )
}

/** The interrupted enrolment of this gallery. */
function interruptionIn(gallery: string) {
  const interrupted = interruptedEnrolment()
  return interrupted?.settings.gallery === gallery ? interrupted : undefined
}

/** Resolves when the visitor has not paused, or continues. */
const released = (paused: ReturnType<typeof store<boolean>>): Promise<void> =>
  new Promise(resolve => {
    if (!paused.get()) return resolve()
    const end = paused.subscribe(() => {
      end()
      resolve()
    })
  })

interface SettingsProperties {
  settings: EnrolmentSettings
  onChange: (settings: EnrolmentSettings) => void
}

const Settings = ({ settings, onChange }: SettingsProperties) => (
  <form class="row centered" onSubmit={event => event.preventDefault()}>
    <CheckField
      label={TEXTS.enrol.folderNames}
      checked={settings.usesFolderNames}
      onChange={() => onChange({ ...settings, usesFolderNames: !settings.usesFolderNames })}
    />
    <SelectField
      label={TEXTS.enrol.selector}
      options={Object.entries(TEXTS.enrol.selectors)}
      value={settings.selector}
      onChange={event =>
        onChange({ ...settings, selector: event.currentTarget.value as EnrolmentSettings['selector'] })
      }
    />
    <InputField
      label={TEXTS.enrol.meta}
      placeholder={TEXTS.enrol.metaHint}
      value={settings.meta}
      onInput={event => onChange({ ...settings, meta: event.currentTarget.value })}
    />
  </form>
)

/** Lines of a list on the page at most. */
const MOST_SHOWN = 200

interface PlanProperties {
  plan: EnrolmentPlan
  onEnrol: () => void
  onCancel: () => void
}

const Plan = ({ plan: { photos, people, skipped }, onEnrol, onCancel }: PlanProperties) => (
  <section class="card stack tight plan" aria-label={TEXTS.plan.label}>
    {photos.length === 0 ? (
      <Problem error={TEXTS.enrol.noPhotos} />
    ) : (
      <h2>{TEXTS.plan.title(people.length, photos.length)}</h2>
    )}
    {people.length > 0 && (
      <ul class="scroll planned" aria-label={TEXTS.plan.people}>
        {people.slice(0, MOST_SHOWN).map(({ name, photos: count, folders }) => (
          <li key={name}>
            <strong>{name}</strong> {TEXTS.plan.photos(count)}
            {folders > 1 && <span class="fault">{TEXTS.plan.folders(folders)}</span>}
          </li>
        ))}
        {people.length > MOST_SHOWN && <li>{TEXTS.enrol.more(people.length - MOST_SHOWN)}</li>}
      </ul>
    )}
    {skipped.length > 0 && <Files title={TEXTS.enrol.skipped(skipped.length)} files={skipped} />}
    <div class="row actions">
      <button type="button" class="quiet" onClick={onCancel}>
        {TEXTS.cancel}
      </button>
      {photos.length > 0 && (
        <button type="button" class="primary" onClick={onEnrol}>
          {TEXTS.plan.enrol(photos.length)}
        </button>
      )}
    </div>
  </section>
)

interface ProgressProperties {
  progress: EnrolmentProgress
  /** Undefined before the end. */
  onRetry: (() => void) | undefined
}

/** Progress of an enrolment, and the photos that failed, are duplicates or show several people, with a sentence about each. */
const Progress = ({
  progress: { photos, done, faces, before, duplicates, several, failures },
  onRetry,
}: ProgressProperties) => (
  <div class="stack tight enrol-progress">
    <progress value={done} max={photos} aria-label={TEXTS.enrol.progress} />
    <p role="status">{TEXTS.enrol.state(done, photos, faces)}</p>
    {before > 0 && <p role="status">{TEXTS.enrol.before(before)}</p>}
    {duplicates.length > 0 && <Files title={TEXTS.enrol.duplicates(duplicates.length)} files={duplicates} />}
    {several.length > 0 && <Files title={TEXTS.enrol.several(several.length)} files={several} />}
    {failures.length > 0 && (
      <div class="row">
        <Files isOpen title={TEXTS.enrol.failures(failures.length)} files={failures} />
        {onRetry && (
          <button type="button" onClick={onRetry}>
            {TEXTS.retry}
          </button>
        )}
      </div>
    )}
  </div>
)

interface FilesProperties {
  title: string
  files: readonly SkippedFile[]
  isOpen?: boolean
}

const Files = ({ title, files, isOpen = false }: FilesProperties) => (
  <details open={isOpen}>
    <summary>{title}</summary>
    <ul class="scroll">
      {files.slice(0, MOST_SHOWN).map(({ path, reason }) => (
        <li key={path}>
          <strong>{path}</strong> {reason}
        </li>
      ))}
      {files.length > MOST_SHOWN && <li>{TEXTS.enrol.more(files.length - MOST_SHOWN)}</li>}
    </ul>
  </details>
)

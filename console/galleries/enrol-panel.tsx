/** Enrols dropped, pasted or chosen photos in a gallery. It shows what will happen before it sends anything. */
import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { DetectedFace, Person } from '../../clients/typescript/src/index.ts'
import { DropZone, FileButton } from '../components/drop-zone.tsx'
import { CheckField, InputField, SelectField } from '../components/fields.tsx'
import { Problem, Status } from '../components/state.tsx'
import { WebcamButton } from '../components/webcam.tsx'
import { useService, useStore } from '../connection/service.ts'
import { useToken } from '../connection/session.ts'
import { useTask } from '../connection/task.ts'
import { foldText } from '../format.ts'
import { ownName } from '../person-names.ts'
import { type FoundFile, faultOf, type SkippedFile } from '../photos/files.ts'
import { isRewritten } from '../photos/jpeg.ts'
import { TEXTS } from '../texts.ts'
import type { EnrolmentProgress } from './enrolment.ts'
import { forgetEnrolment, interruptedEnrolment } from './enrolment-memory.ts'
import { type EnrolmentPlan, type EnrolmentSettings, planOf } from './enrolment-plan.ts'
import { PortraitDialog } from './portrait-dialog.tsx'
import { changeEnrolment, enrolment, startEnrolment } from './running-enrolment.ts'
import { SeveralFaces } from './several-faces.tsx'

/** Of a gallery that no enrolment of this visit concerns. */
const IDLE = { state: undefined, progress: undefined, isPaused: false }

interface Properties {
  gallery: string
  /** Called after the face of a portrait is enrolled. */
  onPortrait: () => void
}

export function EnrolPanel({ gallery, onPortrait }: Properties) {
  const { client, backgroundClient } = useService()
  const { persons: hasPersons = false } = useToken()
  const current = useStore(enrolment)
  const isRunning = current?.state === 'running'
  const { state, progress, isPaused } = current?.settings.gallery === gallery ? current : IDLE
  const [chosen, setChosen] = useState<readonly FoundFile[]>()
  const [faces, setFaces] = useState<ReadonlyMap<FoundFile, DetectedFace>>(new Map())
  const [forgotten, setForgotten] = useState(0)
  const interrupted = useMemo(
    () => (isRunning || state === 'complete' ? undefined : interruptionIn(gallery)),
    [isRunning, state, forgotten],
  )
  const [given, setSettings] = useState<EnrolmentSettings>(
    () =>
      interruptionIn(gallery)?.settings ?? {
        gallery,
        meta: '',
        usesFolderNames: true,
        selector: 'biggest',
      },
  )
  const settings = useMemo(() => ({ ...given, hasPersons }), [given, hasPersons])
  const [portrait, setPortrait] = useState<File>()
  const [named, setNamed] = useState<string>()
  const plan = useMemo(() => chosen && planOf(chosen, settings), [chosen, settings])
  const rewritten = useMemo(() => plan?.photos.filter(({ file }) => isRewritten(file)).length ?? 0, [plan])

  const namesPeople = plan !== undefined && plan.people.length > 0
  const persons = useTask(namesPeople ? signal => client.persons.list({}, { signal }).toArray() : undefined, [
    chosen,
    namesPeople,
  ])
  useEffect(() => {
    if (state === 'complete' || state === 'stopped') changeEnrolment({ isSeen: true })
  }, [state])
  const choose = (files: FoundFile[]) => {
    if (isRunning) return
    setChosen(files)
    setFaces(new Map())
    setNamed(undefined)
    if (state) enrolment.set(undefined)
  }
  const enrol = (photos: readonly FoundFile[], used: EnrolmentSettings) => {
    setChosen(undefined)
    void startEnrolment(backgroundClient, photos, used)
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
    setForgotten(forgotten + 1)
  }
  return (
    <DropZone class="enrol" label={TEXTS.enrol.title} onFiles={choose} onPasted={paste}>
      <div class="row centered choices">
        {isRunning ? (
          <>
            <button type="button" onClick={() => changeEnrolment({ isPaused: !current.isPaused })}>
              {current.isPaused ? TEXTS.enrol.continue : TEXTS.enrol.pause}
            </button>
            <button type="button" class="quiet" onClick={current.cancel}>
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
      {!isRunning && <Settings settings={settings} onChange={setSettings} />}
      {interrupted && !isRunning && (
        <div class="row note interrupted" role="status">
          <p>{TEXTS.enrol.interrupted(interrupted.done, interrupted.photos)}</p>
          <button type="button" class="quiet" onClick={forget}>
            {TEXTS.enrol.forget}
          </button>
        </div>
      )}
      {plan && (
        <Plan
          plan={plan}
          ambiguous={sharedNames(persons.value)}
          isLooking={namesPeople && persons.value === undefined && persons.error === undefined}
          onEnrol={() =>
            enrol(
              plan.photos.map(found => ({ ...found, face: faces.get(found) })),
              settings,
            )
          }
          onCancel={() => setChosen(undefined)}
        >
          {!namesPeople &&
            plan.photos.length > 0 &&
            settings.meta.trim() === '' &&
            settings.selector !== 'all' && <p class="hint">{TEXTS.plan.unnamed}</p>}
          {rewritten > 0 && <p class="hint">{TEXTS.plan.rewritten(rewritten)}</p>}
          {settings.selector === 'biggest' && (
            <SeveralFaces
              files={chosen!}
              planned={plan.photos}
              chosen={faces}
              onChosen={(found, face) => setFaces(new Map(faces).set(found, face))}
            />
          )}
        </Plan>
      )}
      {progress && (
        <Progress
          progress={progress}
          onRetry={state === 'complete' ? () => enrol(progress.failures, current!.settings) : undefined}
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
const MOST_LINES = 200

/** Folded names that several persons have: the service cannot tell whose photo it is. */
const sharedNames = (persons: readonly Person[] = []): ReadonlySet<string> => {
  const namesakes = Map.groupBy(persons, person => foldText(ownName(person)).trim())
  return new Set([...namesakes].flatMap(([name, { length }]) => (length > 1 ? name : [])))
}

interface PlanProperties {
  plan: EnrolmentPlan
  ambiguous: ReadonlySet<string>
  /** The names of stored persons are being loaded. */
  isLooking: boolean
  onEnrol: () => void
  onCancel: () => void
  /** Content above the buttons. */
  children: ComponentChildren
}

const Plan = ({
  plan: { photos, people, skipped },
  ambiguous,
  isLooking,
  onEnrol,
  onCancel,
  children,
}: PlanProperties) => (
  <section class="card stack tight plan" aria-label={TEXTS.plan.label}>
    {photos.length === 0 ? (
      <Problem error={TEXTS.enrol.noPhotos} />
    ) : (
      <h2>{TEXTS.plan.title(people.length, photos.length)}</h2>
    )}
    {people.length > 0 && (
      <ul class="scroll planned" aria-label={TEXTS.plan.people}>
        {people.slice(0, MOST_LINES).map(({ name, photos: count, folders }) => (
          <li key={name}>
            <strong>{name}</strong> {TEXTS.plan.photos(count)}
            {folders > 1 && <span class="fault">{TEXTS.plan.folders(folders)}</span>}
            {ambiguous.has(foldText(name)) && <span class="fault">{TEXTS.plan.ambiguous}</span>}
          </li>
        ))}
        {people.length > MOST_LINES && <li>{TEXTS.enrol.more(people.length - MOST_LINES)}</li>}
      </ul>
    )}
    {skipped.length > 0 && <Files title={TEXTS.enrol.skipped(skipped.length)} files={skipped} />}
    {children}
    <div class="row actions">
      <button type="button" class="quiet" onClick={onCancel}>
        {TEXTS.cancel}
      </button>
      {photos.length > 0 && (
        <button
          type="button"
          class="primary"
          disabled={isLooking || people.some(({ name }) => ambiguous.has(foldText(name)))}
          onClick={onEnrol}
        >
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
      {files.slice(0, MOST_LINES).map(({ path, reason }) => (
        <li key={path}>
          <strong>{path}</strong> {reason}
        </li>
      ))}
      {files.length > MOST_LINES && <li>{TEXTS.enrol.more(files.length - MOST_LINES)}</li>}
    </ul>
  </details>
)

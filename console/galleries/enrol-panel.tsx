/** Enrols dropped or chosen photos in a gallery. */
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { DropZone } from '../components/drop-zone.tsx'
import { FileButton } from '../components/file-button.tsx'
import { Problem } from '../components/problem.tsx'
import { useService } from '../connection/context.ts'
import { type FoundFile, type SkippedFile, sortedFiles } from '../photos/files.ts'
import { TEXTS } from '../texts.ts'
import { EnrolProgress } from './enrol-progress.tsx'
import { type EnrolmentProgress, enrolPhotos } from './enrolment.ts'
import { forgetEnrolment, interruptedEnrolment, rememberEnrolment } from './enrolment-memory.ts'
import type { EnrolmentSettings } from './enrolment-settings.ts'

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
      <div class="choices">
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
      <form ref={form} class="enrol-settings" onSubmit={event => event.preventDefault()}>
        <Settings initial={initial} />
      </form>
      {interrupted && (
        <div class="interrupted" role="status">
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

/** The fields begin with the settings of an interrupted enrolment. */
function Settings({ initial }: { initial: EnrolmentSettings | undefined }) {
  const id = useId()
  return (
    <>
      <div class="field">
        <label for={`${id}-meta`}>{TEXTS.enrol.meta}</label>
        <input
          id={`${id}-meta`}
          name="meta"
          autocomplete="off"
          placeholder={TEXTS.enrol.metaHint}
          defaultValue={initial?.meta}
        />
      </div>
      <div class="field">
        <label for={`${id}-selector`}>{TEXTS.enrol.selector}</label>
        <select id={`${id}-selector`} name="selector">
          {(['biggest', 'all', 'reject'] as const).map(selector => (
            <option key={selector} value={selector} selected={initial?.selector === selector}>
              {TEXTS.enrol.selectors[selector]}
            </option>
          ))}
        </select>
      </div>
      <label class="check">
        <input type="checkbox" name="folders" defaultChecked={initial?.usesFolderNames ?? true} />
        {TEXTS.enrol.folderMeta}
      </label>
    </>
  )
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

/** Enrols dropped or chosen photos in a gallery. */
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { DropZone } from '../components/drop-zone.tsx'
import { FileButton } from '../components/file-button.tsx'
import { Problem } from '../components/problem.tsx'
import { useService } from '../connection/context.ts'
import type { FoundFile } from '../photos/files.ts'
import { TEXTS } from '../texts.ts'
import { EnrolProgress } from './enrol-progress.tsx'
import { type EnrolmentProgress, type EnrolmentSettings, enrolPhotos } from './enrolment.ts'

interface Properties {
  gallery: string
  /** Called when faces were enrolled. */
  onEnrolled: () => void
}

export function EnrolPanel({ gallery, onEnrolled }: Properties) {
  const { client } = useService()
  const form = useRef<HTMLFormElement>(null)
  const aborter = useRef<AbortController>(undefined)
  const [progress, setProgress] = useState<EnrolmentProgress>()
  const [state, setState] = useState<'idle' | 'running' | 'stopped' | 'nothing'>('idle')
  useEffect(() => () => aborter.current?.abort(), [])

  const enrol = async (files: FoundFile[]) => {
    if (state === 'running') return
    const current = new AbortController()
    aborter.current = current
    setState('running')
    let last: EnrolmentProgress | undefined
    const report = (reported: EnrolmentProgress) => {
      last = reported
      setProgress(reported)
    }
    await enrolPhotos(client, files, settingsIn(form.current!, gallery), report, current.signal)
    if (current.signal.aborted) setState('stopped')
    else setState(last?.photos === 0 ? 'nothing' : 'idle')
    if (last && last.faces > 0) onEnrolled()
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
        <Settings />
      </form>
      {progress && progress.photos > 0 && <EnrolProgress progress={progress} />}
      {state === 'stopped' && <p role="status">{TEXTS.enrol.stopped}</p>}
      {state === 'nothing' && <Problem error={TEXTS.enrol.noPhotos} />}
    </DropZone>
  )
}

function Settings() {
  const id = useId()
  return (
    <>
      <div class="field">
        <label for={`${id}-meta`}>{TEXTS.enrol.meta}</label>
        <input id={`${id}-meta`} name="meta" autocomplete="off" placeholder={TEXTS.enrol.metaHint} />
      </div>
      <div class="field">
        <label for={`${id}-selector`}>{TEXTS.enrol.selector}</label>
        <select id={`${id}-selector`} name="selector">
          {(['biggest', 'all', 'reject'] as const).map(selector => (
            <option key={selector} value={selector}>
              {TEXTS.enrol.selectors[selector]}
            </option>
          ))}
        </select>
      </div>
      <label class="check">
        <input type="checkbox" name="folders" defaultChecked />
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

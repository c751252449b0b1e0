/** The form of a camera, for a new one and for a stored one. */
import { useId, useState } from 'preact/hooks'
import type { Camera, CameraParameters } from '../../clients/typescript/src/index.ts'
import { maskedUrl } from '../../contract/url-credentials.ts'
import { ConfirmDialog } from '../components/confirm-dialog.tsx'
import { NAMED } from '../components/field.tsx'
import { Problem } from '../components/problem.tsx'
import { deletesFaces, retentionIn } from '../operator/retention-days.ts'
import { TEXTS } from '../texts.ts'
import { RegionEditor, regionsOf } from './region-editor.tsx'
import { fieldsOf } from './regions.ts'

interface Properties {
  /** Undefined for a new camera. */
  camera: Camera | undefined
  /** Stores the camera. Its errors are shown. */
  onSave: (fields: CameraParameters) => Promise<void>
}

export function CameraForm({ camera, onSave }: Properties) {
  const [regionTexts, setRegionTexts] = useState({ rot: fieldsOf(camera?.rot), roi: fieldsOf(camera?.roi) })
  const [state, setState] = useState<'idle' | 'saving' | 'saved'>('idle')
  const [problem, setProblem] = useState<unknown>()
  const [storedDays, setStoredDays] = useState(camera?.retention_days ?? 0)
  const [asked, setAsked] = useState<Fields>()
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const fields = parametersOf(new FormData(event.currentTarget as HTMLFormElement))
    const regions = regionsOf(regionTexts)
    const fault = [fields, regions].find(part => typeof part === 'string')
    setProblem(fault)
    if (typeof fields === 'string' || typeof regions === 'string') return
    if (camera && deletesFaces(storedDays, fields.retention_days)) setAsked({ ...fields, ...regions })
    else void save({ ...fields, ...regions })
  }
  const save = async (fields: Fields) => {
    setAsked(undefined)
    setState('saving')
    try {
      await onSave(fields)
      setStoredDays(fields.retention_days)
      setState('saved')
    } catch (error) {
      setProblem(error)
      setState('idle')
    }
  }
  return (
    <>
      <form class="camera-form" onSubmit={submit} onInput={() => setState('idle')}>
        <div class="card camera-fields">
          <Field name="meta" label={TEXTS.camera.meta} value={camera?.meta} isRequired={!camera} />
          <Field
            name="url"
            label={TEXTS.camera.url}
            value={camera?.url && maskedUrl(camera.url)}
            hint={TEXTS.camera.urlHint}
          />
          {!camera && <Field name="detector" label={TEXTS.camera.detector} />}
          <Field
            name="retention_days"
            label={TEXTS.camera.retention}
            value={camera?.retention_days?.toString()}
            hint={TEXTS.camera.retentionHint}
            isNumber
          />
          <label class="check">
            <input type="checkbox" name="enabled" defaultChecked={camera?.enabled ?? true} />
            {TEXTS.camera.enabled}
          </label>
        </div>
        <RegionEditor texts={regionTexts} onTexts={setRegionTexts} />
        {problem !== undefined && <Problem error={problem} />}
        <div class="actions">
          <p role="status">{state === 'saved' && TEXTS.camera.saved}</p>
          <button type="submit" class="primary" disabled={state === 'saving'}>
            {state === 'saving' ? TEXTS.camera.saving : TEXTS.camera.save}
          </button>
        </div>
      </form>
      {asked && (
        <ConfirmDialog
          title={TEXTS.retention.confirmTitle(camera?.meta || TEXTS.cameras.unnamed)}
          text={TEXTS.retention.confirmText(asked.retention_days)}
          confirm={TEXTS.retention.confirm}
          isDanger
          run={() => save(asked)}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  )
}

type Fields = CameraParameters & { retention_days: number }

/** Empty texts replace stored ones. An empty number of days means never, which the API writes as 0. A text says what is wrong. */
function parametersOf(form: FormData): Fields | string {
  const text = (name: string): string => String(form.get(name) ?? '').trim()
  const detector = text('detector')
  const days = retentionIn(text('retention_days'))
  if (days === undefined) return TEXTS.retention.invalid
  return {
    meta: text('meta'),
    url: text('url'),
    ...(detector === '' ? {} : { detector }),
    retention_days: days,
    enabled: form.has('enabled'),
  }
}

interface FieldProperties {
  name: string
  label: string
  value?: string | undefined
  hint?: string
  isNumber?: boolean
  isRequired?: boolean
}

function Field({ name, label, value = '', hint, isNumber, isRequired }: FieldProperties) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        name={name}
        inputMode={isNumber ? 'numeric' : 'text'}
        {...(isRequired ? NAMED : {})}
        defaultValue={value}
        autocomplete="off"
        spellcheck={false}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
      />
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  )
}

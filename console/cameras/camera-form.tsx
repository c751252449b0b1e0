/** The form of a camera, for a new one and for a stored one, with a trial of its address. */
import { useState } from 'preact/hooks'
import type { Camera, CameraParameters } from '../../clients/typescript/src/index.ts'
import { CAMERA_LIMITS, FOOTAGE_KINDS } from '../../contract/limits/cameras.ts'
import type { Region } from '../../contract/model/camera.ts'
import { cameraUrl, frigateCamera } from '../../contract/model/camera-url.ts'
import { maskedUrl, unmaskedUrl } from '../../contract/url-credentials.ts'
import { Dialog } from '../components/dialog.tsx'
import { CheckField, InputField, NOT_EMPTY, SelectField } from '../components/fields.tsx'
import { SaveFormEnd, useSaveForm } from '../components/save-form.tsx'
import { Loaded } from '../components/state.tsx'
import { useService } from '../connection/service.ts'
import { useTask } from '../connection/task.ts'
import { retentionIn, retentionQuestion } from '../settings/retention.tsx'
import { TEXTS } from '../texts.ts'
import { CameraSeen } from './camera-state.tsx'
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
  const [storedDays, setStoredDays] = useState(camera?.retention_days ?? 0)
  const [urlFault, setUrlFault] = useState<string>()
  const [tried, setTried] = useState<CameraParameters>()
  const texts = TEXTS.camera
  const { action, attributes, dialog } = useSaveForm<Fields>({
    read(form) {
      const fields = parametersOf(form)
      const regions = regionsOf(regionTexts)
      if (typeof fields === 'string') return fields
      return typeof regions === 'string' ? regions : { ...fields, ...regions }
    },
    question: ({ retention_days }) =>
      camera && retentionQuestion(camera.meta || TEXTS.cameras.unnamed, storedDays, retention_days),
    async save(fields) {
      await onSave(fields)
      setStoredDays(fields.retention_days)
    },
  })
  const tryAddress = (form: FormData) => {
    const url = String(form.get('url')).trim()
    if (url === '' || frigateCamera(url) !== undefined) return setUrlFault(texts.trial.impossible)
    const detector = String(form.get('detector') ?? camera?.detector ?? '').trim()
    setTried({ url: (camera?.url && unmaskedUrl(url, camera.url)) || url, ...(detector && { detector }) })
  }
  return (
    <>
      <form class="stack" {...attributes}>
        <div class="card fields dense">
          <InputField
            label={texts.meta}
            name="meta"
            defaultValue={camera?.meta}
            spellcheck={false}
            {...(camera ? {} : NOT_EMPTY)}
          />
          <div class="stack tight">
            <InputField
              label={texts.url}
              hint={texts.urlHint}
              name="url"
              fault={urlFault}
              defaultValue={camera?.url && maskedUrl(camera.url)}
              onChange={({ currentTarget: { value } }) =>
                setUrlFault(value.trim() === '' ? undefined : cameraUrl(value.trim()).refused)
              }
              spellcheck={false}
            />
            <div class="row">
              <button
                type="button"
                onClick={({ currentTarget: { form } }) => tryAddress(new FormData(form!))}
              >
                {texts.trial.title}
              </button>
            </div>
          </div>
          <InputField
            label={texts.retention}
            hint={texts.retentionHint}
            name="retention_days"
            defaultValue={camera?.retention_days?.toString()}
            inputMode="numeric"
          />
          <CheckField label={texts.enabled} name="enabled" defaultChecked={camera?.enabled ?? true} />
        </div>
        <OptionFields options={camera?.options ?? {}} isNew={!camera} />
        <RegionEditor texts={regionTexts} onTexts={setRegionTexts} />
        <SaveFormEnd action={action} />
      </form>
      {dialog}
      {tried && <AddressTrial fields={tried} onClose={() => setTried(undefined)} />}
    </>
  )
}

/** Bounds and step of each number among the options. */
const NUMBERS = {
  fps: { min: 1, max: CAMERA_LIMITS.fps, step: 'any' },
  min_face: { min: 1, max: CAMERA_LIMITS.faceSide, step: 1 },
  min_quality: { min: 0, max: 1, step: 'any' },
  liveness: { min: 0, max: 1, step: 'any' },
  absence: { min: 1, max: CAMERA_LIMITS.visitSeconds, step: 1 },
  longest: { min: 1, max: CAMERA_LIMITS.visitSeconds, step: 1 },
} as const

const NUMBER_NAMES = Object.keys(NUMBERS) as (keyof typeof NUMBERS)[]

interface OptionProperties {
  options: NonNullable<Camera['options']>
  isNew: boolean
}

function OptionFields({ options, isNew }: OptionProperties) {
  const texts = TEXTS.camera
  return (
    <details class="card">
      <summary>{texts.options}</summary>
      <p class="hint">{texts.optionsHint}</p>
      <div class="fields dense">
        {NUMBER_NAMES.map(name => (
          <InputField
            key={name}
            label={texts.option[name]}
            name={name}
            type="number"
            {...NUMBERS[name]}
            defaultValue={options[name]?.toString()}
          />
        ))}
        <input type="hidden" name="masks" value={options.masks && JSON.stringify(options.masks)} />
        <SelectField
          label={texts.rotate}
          name="rotate"
          options={texts.rotations}
          chosen={String(options.rotate || '')}
        />
        <SelectField
          label={texts.early}
          name="early"
          options={Object.entries(texts.earlyOptions)}
          chosen={String(options.early ?? '')}
        />
        {isNew && <InputField label={texts.detector} name="detector" spellcheck={false} />}
        {FOOTAGE_KINDS.map(name => (
          <CheckField key={name} label={texts[name]} name={name} defaultChecked={options[name]} />
        ))}
      </div>
    </details>
  )
}

/** The options of the form. Empty fields are left out. */
const optionsOf = (text: (name: string) => string): NonNullable<Camera['options']> => ({
  ...Object.fromEntries(FOOTAGE_KINDS.filter(name => text(name) !== '').map(name => [name, true])),
  ...Object.fromEntries(
    NUMBER_NAMES.filter(name => text(name) !== '').map(name => [name, Number(text(name))]),
  ),
  ...(text('rotate') !== '' && {
    rotate: text('rotate') === 'auto' ? 'auto' : (Number(text('rotate')) as 90 | 180 | 270),
  }),
  ...(text('masks') !== '' && { masks: JSON.parse(text('masks')) }),
  ...(text('early') !== '' && { early: text('early') === 'true' }),
})

type Fields = CameraParameters & { retention_days: number }

/** Empty texts replace stored ones. An empty number of days means never: 0 in the API. A returned text describes the mistake. */
function parametersOf(form: FormData): Fields | string {
  const text = (name: string) => String(form.get(name) ?? '').trim()
  const detector = text('detector')
  const days = retentionIn(text('retention_days'))
  if (days === undefined) return TEXTS.retention.invalid
  return {
    meta: text('meta'),
    url: text('url'),
    ...(detector === '' ? {} : { detector }),
    retention_days: days,
    enabled: form.has('enabled'),
    options: optionsOf(text),
  }
}

/** A region of interest without room for a face: no client posts an event. */
const NO_EVENTS: Region = [1, 1, 0, 0]

interface AddressTrialProperties {
  /** Address, and the watcher that reads it. */
  fields: CameraParameters
  onClose: () => void
}

/** A camera stands for the address until the dialog or the page is closed. */
function AddressTrial({ fields, onClose }: AddressTrialProperties) {
  const { backgroundClient: client } = useService()
  const texts = TEXTS.camera.trial
  const trial = useTask(async signal => {
    const { id } = await client.cameras.create({ ...fields, meta: texts.name, roi: NO_EVENTS })
    const end = () => void client.cameras.delete(id).catch(() => {})
    if (signal.aborted) end()
    signal.addEventListener('abort', end)
    addEventListener('pagehide', end, { signal })
    return id
  }, [])
  return (
    <Dialog title={texts.title} onClose={onClose}>
      <p class="hint">{texts.hint}</p>
      <Loaded task={trial}>{id => <CameraSeen id={id} />}</Loaded>
      <div class="row actions">
        <button type="button" class="primary" onClick={onClose}>
          {TEXTS.done}
        </button>
      </div>
    </Dialog>
  )
}

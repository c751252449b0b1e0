/** The form of a rule, for a new one and for a stored one. */
import { useState } from 'preact/hooks'
import type { Alert, AlertParameters } from '../../clients/typescript/src/index.ts'
import { CheckField, InputField, NOT_EMPTY, SelectField } from '../components/fields.tsx'
import { PersonField } from '../components/person-picker.tsx'
import { SaveFormEnd, useSaveForm } from '../components/save-form.tsx'
import { galleryOptions, titleOfGallery, useCameras, useGalleries } from '../connection/lists.ts'
import { TEXTS } from '../texts.ts'
import {
  alertsToEverybody,
  DAYS,
  FPIRS,
  faultyField,
  type HoursFields as Hours,
  LOCAL_TIME_ZONE,
  parametersOf,
} from './conditions.ts'
import { RecognitionOffHint } from './tell-me.tsx'

interface Properties {
  /** Undefined for a new rule. */
  rule: Alert | undefined
  /** Stores the rule. Its errors are shown. */
  onSave: (parameters: AlertParameters) => Promise<void>
}

export function AlertForm({ rule, onSave }: Properties) {
  const [hours, setHours] = useState<readonly Hours[]>(rule?.hours ?? [])
  const [fault, setFault] = useState<ReturnType<typeof faultyField>>()
  const texts = TEXTS.alert
  const read = (fields: FormData) => {
    const parameters = parametersOf(fields, hours)
    const faulty = typeof parameters === 'string' ? undefined : faultyField(parameters)
    setFault(faulty)
    if (!faulty) return parameters
    document.querySelector<HTMLElement>(`[name=${faulty}]`)?.focus()
    return texts.faulty
  }
  const { action, attributes, dialog } = useSaveForm({
    read,
    question: parameters => (alertsToEverybody(parameters) ? texts.everybodyQuestion : undefined),
    save: onSave,
  })
  return (
    <>
      <form class="stack" {...attributes}>
        <div class="card fields">
          <InputField
            label={texts.name}
            name="name"
            defaultValue={rule?.name}
            maxLength={200}
            {...(rule ? {} : NOT_EMPTY)}
          />
          <InputField
            label={texts.url}
            hint={texts.urlHint}
            fault={fault === 'url' ? texts.faults.url : undefined}
            name="url"
            type="url"
            defaultValue={rule?.url}
            spellcheck={false}
          />
          <SelectField
            label={texts.format}
            name="format"
            options={Object.entries(texts.formats)}
            chosen={rule?.format ?? ''}
          />
          <CheckField label={texts.browsers} name="browsers" defaultChecked={rule?.browsers ?? !rule} />
          <div class="stack tight">
            <CheckField label={texts.pictures} name="pictures" defaultChecked={rule?.pictures ?? false} />
            <p class="hint">{texts.picturesHint}</p>
          </div>
          <CheckField label={texts.enabled} name="enabled" defaultChecked={rule?.enabled ?? true} />
        </div>
        <section class="card stack" aria-label={texts.conditions}>
          <h2>{texts.conditions}</h2>
          <p class="hint">{texts.conditionsHint}</p>
          <CameraFields chosen={rule?.cam_ids ?? []} />
          <ConditionFields rule={rule} fault={fault === 'unknown' ? texts.faults.unknown : undefined} />
          <HoursFields hours={hours} onHours={setHours} />
          <InputField label={texts.zone} name="time_zone" defaultValue={rule?.time_zone ?? LOCAL_TIME_ZONE} />
        </section>
        <SaveFormEnd action={action} />
      </form>
      {dialog}
    </>
  )
}

/** Ids of the API have dashes in the list of cameras, and none in rules. */
function CameraFields({ chosen }: { chosen: readonly string[] }) {
  const { value = [] } = useCameras()
  const known = value.map(({ id, meta }) => ({ id: id.replaceAll('-', ''), meta }))
  const gone = chosen.filter(id => !known.some(camera => camera.id === id)).map(id => ({ id, meta: '' }))
  return (
    <fieldset class="row scroll">
      <legend>{TEXTS.alert.cameras}</legend>
      <p class="whole hint">{TEXTS.alert.camerasHint}</p>
      {[...known, ...gone].map(({ id, meta }) => (
        <CheckField
          key={id}
          label={meta || TEXTS.alert.cameraId(id)}
          name="cam_ids"
          value={id}
          defaultChecked={chosen.includes(id)}
        />
      ))}
    </fieldset>
  )
}

function ConditionFields({ rule, fault }: { rule: Alert | undefined; fault: string | undefined }) {
  const [persons, setPersons] = useState(rule?.person_ids ?? [])
  const [except, setExcept] = useState(rule?.except_person_ids ?? [])
  const texts = TEXTS.alert
  const { gallery = '', threshold, fpir = FPIRS.certain } = rule ?? {}
  const known = useGalleries().value
  const galleries = new Map(galleryOptions(known))
  // A rule keeps a gallery that is deleted.
  if (gallery !== '') galleries.set(gallery, titleOfGallery(known, gallery))
  // A rule with a threshold, or with another FPIR, keeps it.
  const isKept = rule !== undefined && rule.fpir === undefined
  const matches = new Map<string, string>([
    [`fpir ${FPIRS.certain}`, texts.certain],
    [`fpir ${FPIRS.probable}`, texts.probable],
  ])
  const chosen = isKept ? `threshold ${threshold}` : `fpir ${fpir}`
  if (!matches.has(chosen)) matches.set(chosen, isKept ? texts.confidence(threshold!) : texts.strangers(fpir))
  return (
    <div class="fields">
      <SelectField
        label={texts.gallery}
        name="gallery"
        options={[['', texts.anyGallery], ...galleries]}
        chosen={gallery}
      />
      <SelectField label={texts.match} name="match" options={[...matches]} chosen={chosen} />
      <SelectField
        label={texts.unknown}
        hint={texts.unknownHint}
        name="unknown"
        fault={fault}
        options={Object.entries(texts.unknowns)}
        chosen={String(rule?.unknown ?? '')}
      />
      <SelectField
        label={texts.friend}
        name="friend"
        options={Object.entries(texts.friends)}
        chosen={String(rule?.friend ?? '')}
      />
      <PersonField label={texts.persons} chosen={persons} isMany onChosen={setPersons} />
      <input type="hidden" name="person_ids" value={persons.join(', ')} />
      <PersonField label={texts.except} chosen={except} isMany onChosen={setExcept} />
      <input type="hidden" name="except_person_ids" value={except.join(', ')} />
      {persons.length + except.length > 0 && <RecognitionOffHint />}
      <InputField
        label={texts.quality}
        name="min_quality"
        type="number"
        min={0}
        max={1}
        step="any"
        defaultValue={rule?.min_quality?.toString()}
      />
      <InputField
        label={texts.cooldown}
        name="cooldown_seconds"
        type="number"
        min={0}
        max={86_400}
        required
        defaultValue={String(rule?.cooldown_seconds ?? 300)}
      />
    </div>
  )
}

/** The working days, from evening to morning. */
const FIRST_HOURS: Hours = { days: DAYS.slice(0, 5), from: '18:00', to: '06:00' }

interface HoursProperties {
  hours: readonly Hours[]
  onHours: (hours: Hours[]) => void
}

/** Any number of rows with days and two times. */
function HoursFields({ hours, onHours }: HoursProperties) {
  const texts = TEXTS.alert
  return (
    <fieldset>
      <legend>{texts.hours}</legend>
      <p class="hint">{texts.hoursHint}</p>
      {hours.map((fields, i) => (
        <HoursRow
          key={`${hours.length} ${i}`}
          number={i + 1}
          fields={fields}
          onFields={changed => onHours(hours.with(i, changed))}
          onRemove={() => onHours(hours.toSpliced(i, 1))}
        />
      ))}
      <button type="button" onClick={() => onHours([...hours, FIRST_HOURS])}>
        {texts.addHours}
      </button>
    </fieldset>
  )
}

interface RowProperties {
  number: number
  fields: Hours
  onFields: (fields: Hours) => void
  onRemove: () => void
}

function HoursRow({ number, fields, onFields, onRemove }: RowProperties) {
  const texts = TEXTS.alert
  const { days } = fields
  const toggle = (day: string) =>
    onFields({ ...fields, days: days.includes(day) ? days.filter(one => one !== day) : [...days, day] })
  return (
    <fieldset class="row">
      <legend>{texts.hoursOf(number)}</legend>
      <div class="row whole">
        {DAYS.map(day => (
          <CheckField
            key={day}
            label={texts.days[day]}
            checked={days.includes(day)}
            onChange={() => toggle(day)}
          />
        ))}
      </div>
      {(['from', 'to'] as const).map(end => (
        <InputField
          key={end}
          label={texts[end]}
          type="time"
          value={fields[end]}
          onInput={event => onFields({ ...fields, [end]: event.currentTarget.value })}
        />
      ))}
      <button type="button" class="quiet" onClick={onRemove}>
        {texts.removeHours(number)}
      </button>
    </fieldset>
  )
}

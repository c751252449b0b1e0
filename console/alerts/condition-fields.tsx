/** The fields of the conditions of a rule: cameras, persons, gallery, unknown people, friends and cool-down. */
import type { Alert } from '../../clients/typescript/src/index.ts'
import { useCameras } from '../cameras/use-cameras.ts'
import { Field } from '../components/field.tsx'
import { useService } from '../connection/context.ts'
import { useTask } from '../connection/task.ts'
import { TEXTS } from '../texts.ts'
import { THRESHOLDS } from '../thresholds.ts'

export function ConditionFields({ rule }: { rule: Alert | undefined }) {
  const texts = TEXTS.alert
  return (
    <>
      <CameraFields chosen={rule?.cam_ids ?? []} />
      <div class="fields">
        <GalleryField chosen={rule?.gallery} />
        <ThresholdField chosen={rule?.threshold} />
        <Choice name="unknown" label={texts.unknown} options={texts.unknowns} chosen={rule?.unknown} />
        <Choice name="friend" label={texts.friend} options={texts.friends} chosen={rule?.friend} />
        <Field label={texts.persons}>
          {id => (
            <input
              id={id}
              name="person_ids"
              defaultValue={rule?.person_ids?.join(', ')}
              placeholder={texts.personsHint}
              autocomplete="off"
            />
          )}
        </Field>
        <Field label={texts.cooldown}>
          {id => (
            <input
              id={id}
              name="cooldown_seconds"
              type="number"
              min={0}
              max={86_400}
              required
              defaultValue={String(rule?.cooldown_seconds ?? 300)}
            />
          )}
        </Field>
      </div>
      <p class="hint">{texts.unknownHint}</p>
    </>
  )
}

/** Ids of the API have dashes in the list of cameras, and none in rules. */
function CameraFields({ chosen }: { chosen: readonly string[] }) {
  const known = useCameras().map(({ id, meta }) => ({
    id: id.replaceAll('-', ''),
    meta,
  }))
  const gone = chosen.filter(id => !known.some(camera => camera.id === id)).map(id => ({ id, meta: '' }))
  return (
    <fieldset class="alert-cameras">
      <legend>{TEXTS.alert.cameras}</legend>
      <p class="hint">{TEXTS.alert.camerasHint}</p>
      {[...known, ...gone].map(({ id, meta }) => (
        <label key={id} class="check">
          <input type="checkbox" name="cam_ids" value={id} defaultChecked={chosen.includes(id)} />
          {meta || TEXTS.alert.cameraId(id)}
        </label>
      ))}
    </fieldset>
  )
}

function GalleryField({ chosen }: { chosen: string | undefined }) {
  const { client } = useService()
  const galleries = useTask(signal => client.galleries.list({ signal }).toArray(), [])
  const names = new Set([...(galleries.state === 'done' ? galleries.value : []), ...(chosen ? [chosen] : [])])
  return (
    <Field label={TEXTS.alert.gallery}>
      {id => (
        <select id={id} name="gallery">
          <option value="">{TEXTS.alert.anyGallery}</option>
          {[...names].map(name => (
            <option key={name} value={name} selected={name === chosen}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

/** A threshold without a name stays as it is. */
function ThresholdField({ chosen = THRESHOLDS.medium }: { chosen: number | undefined }) {
  const named = Object.entries(THRESHOLDS) as [keyof typeof THRESHOLDS, number][]
  const isNamed = named.some(([, value]) => value === chosen)
  return (
    <Field label={TEXTS.alert.threshold}>
      {id => (
        <select id={id} name="threshold">
          {named.map(([name, value]) => (
            <option key={name} value={value} selected={value === chosen}>
              {TEXTS.alert.thresholds[name]}
            </option>
          ))}
          {!isNamed && (
            <option value={chosen} selected>
              {chosen}
            </option>
          )}
        </select>
      )}
    </Field>
  )
}

interface ChoiceProperties {
  name: string
  label: string
  options: Record<'' | 'true' | 'false', string>
  chosen: boolean | undefined
}

const Choice = ({ name, label, options, chosen }: ChoiceProperties) => (
  <Field label={label}>
    {id => (
      <select id={id} name={name}>
        {Object.entries(options).map(([value, text]) => (
          <option key={value} value={value} selected={value === String(chosen ?? '')}>
            {text}
          </option>
        ))}
      </select>
    )}
  </Field>
)

/** The filter of a gallery: by meta, person, camera, time and friend. */
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { InputField, SelectField } from '../components/fields.tsx'
import { PersonField } from '../components/person-picker.tsx'
import { cameraOptions, useCameras } from '../connection/lists.ts'
import { useClient } from '../connection/service.ts'
import { useTask } from '../connection/task.ts'
import { TEXTS } from '../texts.ts'
import { CONDITIONS, type Filter, localTime, queryOf, timeOf } from './conditions.ts'

/** Suggested metas. */
const SUGGESTED = 100

interface Properties {
  gallery: string
  filter: Filter
  onFilter: (filter: Filter) => void
}

export function FilterForm({ gallery, filter, onFilter }: Properties) {
  const client = useClient()
  const form = useRef<HTMLFormElement>(null)
  const id = useId()
  const query = queryOf(filter)
  const { meta: _, ...others } = filter
  const [suggests, setSuggests] = useState(false)
  const load = (signal: AbortSignal) => client.metas.list({ gallery }, { signal }).toArray(SUGGESTED)
  const metas = useTask(suggests ? load : undefined, [gallery, suggests])
  const cameras = useCameras().value
  // The fields follow the address, and keep unfinished input of the visitor.
  useEffect(() => fill(form.current!, filter), [query])
  useEffect(() => fill(form.current!, filter, ['cam_id']), [cameras, filter.cam_id])
  const apply = (event: Event) => {
    event.preventDefault()
    if (form.current!.reportValidity()) onFilter(filterOf(form.current!))
  }
  const texts = TEXTS.gallery
  return (
    <form ref={form} class="row" onSubmit={apply} onChange={apply}>
      <InputField
        label={texts.meta}
        name="meta"
        type="search"
        list={`${id}-metas`}
        title={texts.metaHint}
        onFocus={() => setSuggests(true)}
      />
      <datalist id={`${id}-metas`}>
        {metas.value?.map(({ meta }) => (
          <option key={meta} value={meta} />
        ))}
      </datalist>
      {query !== '' && (
        <button type="button" class="quiet" onClick={() => onFilter({})}>
          {texts.clear}
        </button>
      )}
      <details class="whole" open={Object.keys(others).length > 0}>
        <summary>{texts.more}</summary>
        <div class="cards">
          <PersonField
            label={texts.person}
            chosen={/^\d+$/.test(filter.person_id ?? '') ? [Number(filter.person_id)] : []}
            onChosen={([person]) =>
              onFilter({ ...filter, person_id: person === undefined ? '' : `${person}` })
            }
          />
          <input type="hidden" name="person_id" />
          <SelectField
            label={texts.camera}
            name="cam_id"
            options={[['', texts.any], ...cameraOptions(cameras, filter.cam_id)]}
          />
          <InputField label={texts.start} name="start" type="datetime-local" />
          <InputField label={texts.end} name="end" type="datetime-local" />
          <SelectField
            label={texts.friend}
            name="friend"
            options={Object.entries(texts.friendOptions)}
            aria-describedby={`${id}-friend`}
          />
        </div>
        <p class="hint" id={`${id}-friend`}>
          {texts.friendHint}
        </p>
      </details>
    </form>
  )
}

function filterOf(form: HTMLFormElement): Filter {
  const fields = new FormData(form)
  const text = (name: string) => String(fields.get(name) ?? '')
  return {
    meta: text('meta'),
    person_id: text('person_id'),
    cam_id: text('cam_id'),
    friend: text('friend'),
    start: timeOf(text('start')) ?? '',
    end: timeOf(text('end')) ?? '',
  }
}

/** Sets the fields of all conditions, or of these alone. */
function fill(form: HTMLFormElement, filter: Filter, names: readonly string[] = CONDITIONS) {
  const shown: Filter = { ...filter, start: localTime(filter.start), end: localTime(filter.end) }
  for (const element of form.elements)
    if (element instanceof HTMLInputElement || element instanceof HTMLSelectElement)
      if (names.includes(element.name)) element.value = shown[element.name as keyof Filter] ?? ''
}

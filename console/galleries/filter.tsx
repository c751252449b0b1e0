/** The filter of a gallery: by meta, person, camera, time and friend. */
import { useEffect, useId, useRef } from 'preact/hooks'
import { useCameras } from '../cameras/use-cameras.ts'
import { Field } from '../components/field.tsx'
import { useService } from '../connection/context.ts'
import { useTask } from '../connection/task.ts'
import { TEXTS } from '../texts.ts'
import { type Filter, localTime, queryOf, timeOf } from './conditions.ts'

/** Suggested metas. */
const SUGGESTED = 100

interface Properties {
  gallery: string
  filter: Filter
  onFilter: (filter: Filter) => void
}

export function FilterForm({ gallery, filter, onFilter }: Properties) {
  const form = useRef<HTMLFormElement>(null)
  const id = useId()
  const query = queryOf(filter)
  const { meta: _, ...others } = filter
  // The fields follow the address, and keep what the visitor is typing.
  useEffect(() => fill(form.current!, filter), [query])
  const apply = (event: Event) => {
    event.preventDefault()
    if (form.current!.reportValidity()) onFilter(filterOf(form.current!))
  }
  return (
    <form ref={form} class="filter" onSubmit={apply} onChange={apply}>
      <Field label={TEXTS.gallery.meta}>{field => <MetaField id={field} gallery={gallery} />}</Field>
      {query !== '' && (
        <button type="button" class="quiet" onClick={() => onFilter({})}>
          {TEXTS.gallery.clear}
        </button>
      )}
      <details class="more-filters" open={Object.keys(others).length > 0}>
        <summary>{TEXTS.gallery.more}</summary>
        <div class="fields">
          <Field label={TEXTS.gallery.person}>
            {field => <input id={field} name="person_id" type="number" min={0} step={1} autocomplete="off" />}
          </Field>
          <Field label={TEXTS.gallery.camera}>
            {field => <CameraField id={field} chosen={filter.cam_id} />}
          </Field>
          <Field label={TEXTS.gallery.start}>
            {field => <input id={field} name="start" type="datetime-local" />}
          </Field>
          <Field label={TEXTS.gallery.end}>
            {field => <input id={field} name="end" type="datetime-local" />}
          </Field>
          <Field label={TEXTS.gallery.friend}>
            {field => (
              <select id={field} name="friend" aria-describedby={`${id}-friend`}>
                <option value="">{TEXTS.gallery.any}</option>
                <option value="true">{TEXTS.gallery.friends}</option>
                <option value="false">{TEXTS.gallery.noFriends}</option>
              </select>
            )}
          </Field>
        </div>
        <p class="hint" id={`${id}-friend`}>
          {TEXTS.gallery.friendHint}
        </p>
      </details>
    </form>
  )
}

/** Suggests the first metas of the gallery. */
function MetaField({ id, gallery }: { id: string; gallery: string }) {
  const { client } = useService()
  const metas = useTask(signal => client.metas.list({ gallery }, { signal }).toArray(SUGGESTED), [gallery])
  return (
    <>
      <input
        id={id}
        name="meta"
        type="search"
        list={`${id}-metas`}
        autocomplete="off"
        title={TEXTS.gallery.metaHint}
      />
      <datalist id={`${id}-metas`}>
        {metas.state === 'done' && metas.value.map(entry => <option key={entry.meta} value={entry.meta} />)}
      </datalist>
    </>
  )
}

/** The cameras by their metas. A camera of the address stays, also a deleted one. */
function CameraField({ id, chosen }: { id: string; chosen: string | undefined }) {
  const cameras = useCameras()
  const select = useRef<HTMLSelectElement>(null)
  useEffect(() => {
    if (select.current) select.current.value = chosen ?? ''
  }, [cameras, chosen])
  return (
    <select ref={select} id={id} name="cam_id">
      <option value="">{TEXTS.gallery.any}</option>
      {cameras.map(camera => (
        <option key={camera.id} value={camera.id}>
          {camera.meta || camera.id}
        </option>
      ))}
      {chosen && !cameras.some(camera => camera.id === chosen) && <option value={chosen}>{chosen}</option>}
    </select>
  )
}

function filterOf(form: HTMLFormElement): Filter {
  const fields = new FormData(form)
  const text = (name: string) => String(fields.get(name) ?? '')
  return {
    ...{ meta: text('meta'), person_id: text('person_id'), cam_id: text('cam_id'), friend: text('friend') },
    ...{ start: timeOf(text('start')) ?? '', end: timeOf(text('end')) ?? '' },
  }
}

function fill(form: HTMLFormElement, filter: Filter): void {
  const shown: Filter = { ...filter, start: localTime(filter.start), end: localTime(filter.end) }
  for (const element of form.elements)
    if (element instanceof HTMLInputElement || element instanceof HTMLSelectElement)
      element.value = shown[element.name as keyof Filter] ?? ''
}

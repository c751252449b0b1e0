/** The filters of the page of events. */
import type { Camera } from '../../clients/typescript/src/index.ts'
import { Field } from '../components/field.tsx'
import { useService } from '../connection/context.ts'
import { useTask } from '../connection/task.ts'
import { TEXTS } from '../texts.ts'
import { ALL_EVENTS, type ChosenEvents, isFiltered } from './event-filter.ts'

interface Properties {
  cameras: readonly Camera[]
  chosen: ChosenEvents
  onChosen: (chosen: ChosenEvents) => void
}

export function FilterForm({ cameras, chosen, onChosen }: Properties) {
  const { client } = useService()
  const galleries = useTask(signal => client.galleries.list({ signal }).toArray(), [])
  const names = galleries.state === 'done' ? galleries.value : []
  const set = (name: keyof ChosenEvents) => (event: Event) => {
    const field = event.currentTarget as HTMLInputElement | HTMLSelectElement
    if (field.checkValidity()) onChosen({ ...chosen, [name]: field.value })
  }
  return (
    <form class="event-filter" aria-label={TEXTS.events.filter} onSubmit={event => event.preventDefault()}>
      <Field label={TEXTS.events.camera}>
        {id => (
          <select id={id} value={chosen.camera} onChange={set('camera')}>
            <option value="">{TEXTS.events.allCameras}</option>
            {cameras.map(camera => (
              <option key={camera.id} value={camera.id}>
                {camera.meta || camera.id}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label={TEXTS.events.person}>
        {id => (
          <input
            id={id}
            type="text"
            inputMode="numeric"
            pattern="[0-9]{1,15}"
            title={TEXTS.events.personHint}
            placeholder={TEXTS.events.personHint}
            value={chosen.person}
            onChange={set('person')}
          />
        )}
      </Field>
      <Field label={TEXTS.events.gallery}>
        {id => (
          <select id={id} value={chosen.gallery} onChange={set('gallery')}>
            <option value="">{TEXTS.events.allGalleries}</option>
            {names
              .filter(name => name !== 'default')
              .map(name => (
                <option key={name}>{name}</option>
              ))}
          </select>
        )}
      </Field>
      <Field label={TEXTS.events.friends}>
        {id => (
          <select id={id} value={chosen.friend} onChange={set('friend')}>
            <option value="">{TEXTS.events.everybody}</option>
            <option value="true">{TEXTS.events.onlyFriends}</option>
            <option value="false">{TEXTS.events.noFriends}</option>
          </select>
        )}
      </Field>
      <Field label={TEXTS.events.start}>
        {id => <input id={id} type="datetime-local" value={chosen.start} onChange={set('start')} />}
      </Field>
      <Field label={TEXTS.events.end}>
        {id => <input id={id} type="datetime-local" value={chosen.end} onChange={set('end')} />}
      </Field>
      {isFiltered(chosen) && (
        <button type="button" class="quiet" onClick={() => onChosen(ALL_EVENTS)}>
          {TEXTS.events.clear}
        </button>
      )}
    </form>
  )
}

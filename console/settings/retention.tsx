/** How long galleries and cameras keep faces. 0 days are for ever. */
import { useId, useState } from 'preact/hooks'
import { useSaveForm } from '../components/save-form.tsx'
import { Loaded, Problem } from '../components/state.tsx'
import { titleOfGallery, updateCamera, useCameras, useGalleries } from '../connection/lists.ts'
import { useClient } from '../connection/service.ts'
import { useTask } from '../connection/task.ts'
import { TEXTS } from '../texts.ts'

/** Galleries that are shown at once: each costs a request. */
const SHOWN = 25

export function Retention() {
  const client = useClient()
  const [shown, setShown] = useState(SHOWN)
  const galleries = useGalleries()
  const cameras = useCameras()
  const names = galleries.value?.map(({ name }) => name) ?? []
  const texts = TEXTS.retention
  return (
    <>
      <p class="lead">{texts.intro}</p>
      <section class="card stack">
        <h2>{texts.galleries}</h2>
        <Loaded task={galleries} />
        <ul>
          {names.slice(0, shown).map(name => (
            <GalleryRetention
              key={name}
              name={name}
              title={name === 'default' ? texts.others : titleOfGallery(galleries.value, name)}
            />
          ))}
        </ul>
        {names.length > shown && (
          <button type="button" class="quiet" onClick={() => setShown(shown + SHOWN)}>
            {texts.more(Math.min(SHOWN, names.length - shown))}
          </button>
        )}
      </section>
      <section class="card stack">
        <h2>{texts.cameras}</h2>
        <Loaded task={cameras} empty={texts.noCameras}>
          {found => (
            <ul>
              {found.map(({ id, meta, retention_days }) => (
                <RetentionRow
                  key={id}
                  name={texts.camera(meta, id)}
                  days={retention_days}
                  onSave={days => updateCamera(client, id, { retention_days: days })}
                />
              ))}
            </ul>
          )}
        </Loaded>
      </section>
    </>
  )
}

function GalleryRetention({ name, title }: { name: string; title: string }) {
  const client = useClient()
  const { value, error } = useTask(signal => client.galleries.get(name, { signal }), [name])
  if (error !== undefined) return <Problem error={error} isLoad />
  if (!value) return <li class="rule">{title}</li>
  return (
    <RetentionRow
      name={title}
      hint={name === 'default' ? TEXTS.retention.defaultHint : undefined}
      days={value.retention_days}
      onSave={days => client.galleries.update(name, { retention_days: days })}
    />
  )
}

interface RowProperties {
  name: string
  hint?: string
  /** Undefined: for ever. */
  days: number | undefined
  onSave: (days: number) => Promise<unknown>
}

/** A number of days, which is saved after a confirmation when it deletes faces. */
function RetentionRow({ name, hint, days = 0, onSave }: RowProperties) {
  const id = useId()
  const texts = TEXTS.retention
  const [stored, setStored] = useState(days)
  const { action, attributes, dialog } = useSaveForm({
    read(fields) {
      const chosen = retentionIn(String(fields.get('days')))
      return chosen === undefined ? texts.invalid : { chosen }
    },
    question: ({ chosen }) => retentionQuestion(name, stored, chosen),
    async save({ chosen }) {
      await onSave(chosen)
      setStored(chosen)
    },
  })
  return (
    <li class="rule">
      <form class="row" {...attributes}>
        <label class="grow" for={id}>
          <span class="row-name">{name}</span>
          <span class="visually-hidden">{texts.unit}</span>
          {hint && <small>{hint}</small>}
        </label>
        <span class="line">
          <input
            id={id}
            name="days"
            inputMode="numeric"
            autocomplete="off"
            aria-label={texts.days(name)}
            placeholder="0"
            defaultValue={days === 0 ? '' : String(days)}
          />
          <span class="hint" aria-hidden="true">
            {texts.unit}
          </span>
          <button type="submit" class="small" aria-label={texts.saveFor(name)}>
            {TEXTS.save}
          </button>
        </span>
      </form>
      {action.isDone && <p role="status">{texts.saved(name, stored)}</p>}
      <Problem error={action.problem} />
      {dialog}
    </li>
  )
}

/** Greatest retention in days. */
const MOST_DAYS = 36_500

/** The typed days; undefined for anything but a whole number of days. Nothing is 0. */
export function retentionIn(typed: string): number | undefined {
  const text = typed.trim()
  if (text === '') return 0
  return /^\d{1,5}$/.test(text) && Number(text) <= MOST_DAYS ? Number(text) : undefined
}

/** What to ask before a change that deletes faces that were kept before; undefined for another change. */
export const retentionQuestion = (name: string, before: number, after: number) =>
  after > 0 && (before === 0 || after < before) ? TEXTS.retention.question(name, after) : undefined

/** The filter of a gallery by meta. Suggests the first metas of the gallery. */
import { useId } from 'preact/hooks'
import { useService } from '../connection/context.ts'
import { useTask } from '../connection/task.ts'
import { TEXTS } from '../texts.ts'

/** Suggested metas. */
const SUGGESTED = 100

interface Properties {
  gallery: string
  meta: string | undefined
  onMeta: (meta: string | undefined) => void
}

export function Filter({ gallery, meta, onMeta }: Properties) {
  const { client } = useService()
  const id = useId()
  const metas = useTask(signal => client.metas.list({ gallery }, { signal }).toArray(SUGGESTED), [gallery])
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const typed = String(new FormData(event.currentTarget as HTMLFormElement).get('meta'))
    onMeta(typed === '' ? undefined : typed)
  }
  const clear = (event: Event) => {
    ;(event.currentTarget as HTMLButtonElement).form?.reset()
    onMeta(undefined)
  }
  return (
    <form class="filter" onSubmit={submit}>
      <label for={id}>{TEXTS.gallery.meta}</label>
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
      {meta !== undefined && (
        <button type="button" class="quiet" onClick={clear}>
          {TEXTS.gallery.clear}
        </button>
      )}
    </form>
  )
}

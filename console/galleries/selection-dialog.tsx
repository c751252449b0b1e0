/** Asks for the details of an action on selected faces, and for a confirmation that names their number. */
import { useId, useState } from 'preact/hooks'
import { Dialog } from '../components/dialog.tsx'
import { Problem } from '../components/problem.tsx'
import { useService } from '../connection/context.ts'
import { useTask } from '../connection/task.ts'
import { TEXTS } from '../texts.ts'

export type Action =
  | { kind: 'add'; gallery: string }
  | { kind: 'remove' }
  | { kind: 'meta'; meta: string }
  | { kind: 'delete' }

interface Properties {
  kind: Action['kind']
  gallery: string
  count: number
  onApply: (action: Action) => void
  onClose: () => void
}

export function SelectionDialog({ kind, gallery, count, onApply, onClose }: Properties) {
  const texts = TEXTS.selection
  const titles: Record<Action['kind'], string> = {
    add: texts.addTitle(count),
    remove: texts.removeTitle(count, gallery),
    meta: texts.metaTitle(count),
    delete: texts.deleteTitle(count),
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget as HTMLFormElement)
    if (kind === 'add') onApply({ kind, gallery: String(fields.get('gallery')) })
    else if (kind === 'meta') onApply({ kind, meta })
    else onApply({ kind })
  }
  const [canApply, setCanApply] = useState(kind !== 'add')
  const [meta, setMeta] = useState('')
  const isRemoval = kind === 'meta' && meta === ''
  const confirm = {
    add: texts.apply,
    meta: isRemoval ? texts.metaRemove(count) : texts.apply,
    remove: texts.removeConfirm(count),
    delete: texts.deleteConfirm(count),
  }
  return (
    <Dialog title={titles[kind]} onClose={onClose}>
      <form onSubmit={submit}>
        {kind === 'delete' && <p>{texts.deleteText}</p>}
        {kind === 'remove' && <p>{texts.removeText}</p>}
        {kind === 'meta' && <MetaField meta={meta} onMeta={setMeta} />}
        {kind === 'add' && <GalleryField gallery={gallery} onReady={setCanApply} />}
        <div class="actions">
          <button type="button" class="quiet" onClick={onClose}>
            {TEXTS.cancel}
          </button>
          <button
            type="submit"
            class={kind === 'delete' || isRemoval ? 'danger solid' : 'primary'}
            disabled={!canApply}
          >
            {confirm[kind]}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

function MetaField({ meta, onMeta }: { meta: string; onMeta: (meta: string) => void }) {
  const id = useId()
  return (
    <>
      <label for={id}>{TEXTS.selection.metaLabel}</label>
      <input id={id} autocomplete="off" value={meta} onInput={event => onMeta(event.currentTarget.value)} />
      <p class="hint">{TEXTS.selection.metaHint}</p>
    </>
  )
}

function GalleryField({ gallery, onReady }: { gallery: string; onReady: (isReady: boolean) => void }) {
  const { client } = useService()
  const id = useId()
  const list = useTask(async signal => {
    const names = await client.galleries.list({ signal }).toArray()
    const others = names.filter(name => name !== gallery && name !== 'default')
    onReady(others.length > 0)
    return others
  }, [])
  if (list.state === 'failed') return <Problem error={list.error} onRetry={list.retry} />
  if (list.state !== 'done') return <p>{TEXTS.loading}</p>
  if (list.value.length === 0) return <p>{TEXTS.selection.addNone}</p>
  return (
    <>
      <label for={id}>{TEXTS.selection.addGallery}</label>
      <select id={id} name="gallery">
        {list.value.map(name => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </>
  )
}

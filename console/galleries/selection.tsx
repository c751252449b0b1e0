/** Actions on the selected faces. Each asks for its details before it begins, and names the number of faces. */
import { useState } from 'preact/hooks'
import { inParallel } from '../../clients/typescript/src/enrolment.ts'
import type { Face, MienClient } from '../../clients/typescript/src/index.ts'
import { ConfirmDialog } from '../components/dialog.tsx'
import { InputField, SelectField } from '../components/fields.tsx'
import { Loaded, Problem } from '../components/state.tsx'
import { galleryOptions, useGalleries } from '../connection/lists.ts'
import { useClient } from '../connection/service.ts'
import { SelectionBar } from '../grid/tile-grid.tsx'
import { TEXTS } from '../texts.ts'
import { forgetEnrolment } from './enrolment-memory.ts'

/** Requests in flight. */
const FACES_IN_FLIGHT = 6

type Action =
  | { kind: 'add'; gallery: string }
  | { kind: 'remove' }
  | { kind: 'meta'; meta: string }
  | { kind: 'delete' }

interface Outcome {
  done: number
  failed: number
  error: unknown
}

interface Properties {
  gallery: string
  /** What pages call the gallery. */
  title: string
  selected: ReadonlySet<number>
  onSelected: (ids: ReadonlySet<number>) => void
  onRemoved: (ids: ReadonlySet<number>) => void
  onChanged: (face: Face) => void
}

export function Selection({ gallery, title, selected, onSelected, onRemoved, onChanged }: Properties) {
  const client = useClient()
  const [asked, setAsked] = useState<Action['kind']>()
  const [progress, setProgress] = useState<{ done: number; all: number }>()
  const [outcome, setOutcome] = useState<Outcome>()
  const count = selected.size
  const texts = TEXTS.selection

  const run = async (action: Action) => {
    setOutcome(undefined)
    const failed = new Set<number>()
    const removed = new Set<number>()
    let error: unknown
    let done = 0
    await inParallel([...selected], FACES_IN_FLIGHT, async id => {
      try {
        const face = await apply(client, id, action, gallery)
        if (face?.galleries.includes(gallery)) onChanged(face)
        else removed.add(id)
      } catch (cause) {
        failed.add(id)
        error ??= cause
      }
      setProgress({ done: ++done, all: count })
    })
    // The photos of removed faces can be enrolled again.
    if (removed.size > 0) forgetEnrolment()
    onRemoved(removed)
    onSelected(failed)
    setProgress(undefined)
    setOutcome({ done: count - failed.size, failed: failed.size, error })
  }
  const button = (kind: Action['kind'], text: string, name = '') => (
    <button type="button" class={name} disabled={progress !== undefined} onClick={() => setAsked(kind)}>
      {text}
    </button>
  )
  return (
    <>
      {outcome && count === outcome.failed && (
        <div class="stack" role="status">
          {outcome.done > 0 && <p>{texts.done(outcome.done)}</p>}
          {outcome.failed > 0 && <p>{texts.failed(outcome.failed)}</p>}
          <Problem error={outcome.error} />
        </div>
      )}
      {count > 0 && (
        <SelectionBar
          label={texts.label}
          text={progress ? texts.working(progress.done, progress.all) : texts.count(count)}
          onClear={() => onSelected(new Set())}
        >
          {button('add', texts.add)}
          {gallery !== 'default' && button('remove', texts.remove(title))}
          {button('meta', texts.meta)}
          {button('delete', texts.delete, 'danger')}
        </SelectionBar>
      )}
      {asked && (
        <ActionDialog
          kind={asked}
          gallery={gallery}
          title={title}
          count={count}
          onApply={action => void run(action)}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  )
}

/** The changed face; undefined after its deletion. */
async function apply(
  client: MienClient,
  id: number,
  action: Action,
  gallery: string,
): Promise<Face | undefined> {
  if (action.kind === 'delete') {
    await client.faces.delete(id)
    return undefined
  }
  if (action.kind === 'meta') return client.faces.update(id, { meta: action.meta })
  const galleries = action.kind === 'add' ? { add: [action.gallery] } : { del: [gallery] }
  return client.faces.update(id, { galleries })
}

interface DialogProperties {
  kind: Action['kind']
  gallery: string
  title: string
  count: number
  onApply: (action: Action) => void
  onClose: () => void
}

function ActionDialog({ kind, gallery, title, count, onApply, onClose }: DialogProperties) {
  const galleries = useGalleries()
  const [meta, setMeta] = useState('')
  const texts = TEXTS.selection
  const others = galleryOptions(galleries.value).filter(([name]) => name !== gallery && name !== 'default')
  const questions = {
    add: { ...texts.addQuestion(count), canConfirm: others.length > 0 },
    remove: texts.removeQuestion(count, title),
    meta: texts.metaQuestion(count, meta === ''),
    delete: texts.deleteQuestion(count),
  }
  const run = async (fields: FormData) => {
    if (kind === 'add') onApply({ kind, gallery: String(fields.get('gallery')) })
    else onApply(kind === 'meta' ? { kind, meta } : { kind })
  }
  return (
    <ConfirmDialog {...questions[kind]} run={run} onClose={onClose}>
      {kind === 'add' && (
        <Loaded task={galleries}>
          {() =>
            others.length === 0 ? (
              <p>{texts.addNone}</p>
            ) : (
              <SelectField label={texts.addGallery} name="gallery" options={others} />
            )
          }
        </Loaded>
      )}
      {kind === 'meta' && (
        <InputField
          label={texts.metaLabel}
          hint={texts.metaHint}
          value={meta}
          onInput={event => setMeta(event.currentTarget.value)}
        />
      )}
    </ConfirmDialog>
  )
}

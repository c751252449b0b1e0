/** Actions on the selected faces. Each asks before it begins. */
import { useState } from 'preact/hooks'
import type { Face, MienClient } from '../../clients/typescript/src/index.ts'
import { Problem } from '../components/problem.tsx'
import { useService } from '../connection/context.ts'
import { TEXTS } from '../texts.ts'
import { forgetEnrolment } from './enrolment-memory.ts'
import { inParallel } from './in-parallel.ts'
import { type Action, SelectionDialog } from './selection-dialog.tsx'

/** Requests in flight. */
const AT_ONCE = 6

interface Properties {
  gallery: string
  selected: ReadonlySet<number>
  onSelected: (ids: ReadonlySet<number>) => void
  onRemoved: (ids: ReadonlySet<number>) => void
  onChanged: (face: Face) => void
}

interface Outcome {
  done: number
  failed: number
  error: unknown
}

export function SelectionBar({ gallery, selected, onSelected, onRemoved, onChanged }: Properties) {
  const { client } = useService()
  const [asked, setAsked] = useState<Action['kind']>()
  const [progress, setProgress] = useState<{ done: number; all: number }>()
  const [outcome, setOutcome] = useState<Outcome>()
  const count = selected.size

  const run = async (action: Action) => {
    setAsked(undefined)
    setOutcome(undefined)
    const failed = new Set<number>()
    const removed = new Set<number>()
    let error: unknown
    let done = 0
    await inParallel([...selected], AT_ONCE, async id => {
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
        <div class="outcome" role="status">
          {outcome.done > 0 && <p>{TEXTS.selection.done(outcome.done)}</p>}
          {outcome.failed > 0 && <p>{TEXTS.selection.failed(outcome.failed)}</p>}
          {outcome.error !== undefined && <Problem error={outcome.error} />}
        </div>
      )}
      {count > 0 && (
        <section class="selection-bar" aria-label={TEXTS.selection.label}>
          <p role="status">
            {progress ? TEXTS.selection.working(progress.done, progress.all) : TEXTS.selection.count(count)}
          </p>
          {button('add', TEXTS.selection.add)}
          {gallery !== 'default' && button('remove', TEXTS.selection.remove(gallery))}
          {button('meta', TEXTS.selection.meta)}
          {button('delete', TEXTS.selection.delete, 'danger')}
          <button type="button" class="quiet" onClick={() => onSelected(new Set())}>
            {TEXTS.selection.clear}
          </button>
        </section>
      )}
      {asked && (
        <SelectionDialog
          kind={asked}
          gallery={gallery}
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

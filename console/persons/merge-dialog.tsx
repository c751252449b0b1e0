/** Merging persons: the question before it, and the notice after it. */
import { useId, useState } from 'preact/hooks'
import type { PersonSummary } from '../../clients/typescript/src/index.ts'
import { ConfirmDialog } from '../components/dialog.tsx'
import { PersonLine } from '../components/person-picker.tsx'
import { Problem } from '../components/state.tsx'
import { useClient } from '../connection/service.ts'
import { useAction } from '../connection/task.ts'
import { nameOf } from '../person-names.ts'
import { hashOf } from '../route.ts'
import { TEXTS } from '../texts.ts'
import { canUndo, keptOf, type Merge, MOST_SPLIT, mergePersons, undoMerge } from './merge.ts'

interface DialogProperties {
  /** At least two. */
  persons: readonly PersonSummary[]
  onMerged: (merge: Merge) => void
  onClose: () => void
}

/** Asks which of several persons a merge keeps, and merges all others into this person. */
export function MergeDialog({ persons, onMerged, onClose }: DialogProperties) {
  const client = useClient()
  const group = useId()
  const [kept, setKept] = useState(keptOf(persons)!)
  const others = persons.filter(({ id }) => id !== kept.id)
  return (
    <ConfirmDialog
      title={TEXTS.mergeDialog.title(persons.length)}
      text={TEXTS.mergeDialog.text(canUndo(kept, others), MOST_SPLIT)}
      confirm={TEXTS.mergeDialog.confirm(persons.length)}
      run={async () => onMerged(await mergePersons(client, kept, others))}
      onClose={onClose}
    >
      <fieldset class="scroll small-faces">
        <legend>{TEXTS.mergeDialog.kept}</legend>
        {persons.map(person => (
          <label key={person.id} class="check">
            <input
              type="radio"
              name={group}
              checked={person.id === kept.id}
              onChange={() => setKept(person)}
            />
            <PersonLine person={person} />
          </label>
        ))}
      </fieldset>
    </ConfirmDialog>
  )
}

interface NoticeProperties {
  merge: Merge
  /** Gets the merge after each step of an undo. */
  onMerge: (merge: Merge) => void
}

/** Notice of a merge, with a button that undoes it. */
export function MergeNotice({ merge, onMerge }: NoticeProperties) {
  const client = useClient()
  const undoing = useAction()
  const undo = () =>
    undoing.run(async () => {
      let latest: Merge = { ...merge, isUndoing: true }
      const step = (next: Merge) => {
        latest = next
        onMerge(next)
      }
      step(latest)
      await undoMerge(client, latest, step).finally(() => step({ ...latest, isUndoing: false }))
    })
  const { kept, count, parts, created } = merge
  return (
    <div class="stack" role="status">
      <p>
        {created.length === 0 ? TEXTS.merge.done(count, nameOf(kept)) : TEXTS.merge.undone}{' '}
        {created.map(person => (
          <a key={person.id} href={hashOf({ page: 'person', id: person.id })}>
            {nameOf(person)}
          </a>
        ))}
      </p>
      {parts.length > 0 && (
        <button type="button" disabled={undoing.isRunning} onClick={() => void undo()}>
          {TEXTS.merge.undo}
        </button>
      )}
      <Problem error={undoing.problem} />
    </div>
  )
}

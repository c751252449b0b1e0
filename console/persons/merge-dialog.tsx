/** Asks which of several persons a merge keeps, and merges the others into this one. */
import { useId, useState } from 'preact/hooks'
import type { PersonSummary } from '../../clients/typescript/src/index.ts'
import { ConfirmDialog } from '../components/confirm-dialog.tsx'
import { Thumbnail } from '../components/thumbnail.tsx'
import { useService } from '../connection/context.ts'
import { TEXTS } from '../texts.ts'
import { canUndo, type Merge, mergePersons } from './merge.ts'
import { keptOf, nameOf, numberOf } from './names.ts'

interface Properties {
  /** At least two. */
  persons: readonly PersonSummary[]
  onMerged: (merge: Merge) => void
  onClose: () => void
}

export function MergeDialog({ persons, onMerged, onClose }: Properties) {
  const { client } = useService()
  const group = useId()
  const [kept, setKept] = useState(keptOf(persons)!)
  const others = persons.filter(({ id }) => id !== kept.id)
  return (
    <ConfirmDialog
      title={TEXTS.mergeDialog.title(persons.length)}
      text={TEXTS.mergeDialog.text(canUndo(kept, others))}
      confirm={TEXTS.mergeDialog.confirm(persons.length)}
      run={async () => onMerged(await mergePersons(client, kept, others))}
      onClose={onClose}
    >
      <fieldset class="kept">
        <legend>{TEXTS.mergeDialog.kept}</legend>
        {persons.map(person => (
          <label key={person.id} class="check">
            <input
              type="radio"
              name={group}
              checked={person.id === kept.id}
              onChange={() => setKept(person)}
            />
            <Thumbnail face={person.face ?? { thumbnail: '' }} />
            <span>
              <strong>{nameOf(person)}</strong>
              <small>{[...numberOf(person), TEXTS.persons.faces(person.count)].join(' · ')}</small>
            </span>
          </label>
        ))}
      </fieldset>
    </ConfirmDialog>
  )
}

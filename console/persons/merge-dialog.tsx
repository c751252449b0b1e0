/** Asks which of several persons a merge keeps, and merges the others into this one. */
import { useId, useState } from 'preact/hooks'
import type { PersonSummary } from '../../clients/typescript/src/index.ts'
import { ConfirmDialog } from '../components/confirm-dialog.tsx'
import { Thumbnail } from '../components/thumbnail.tsx'
import { useService } from '../connection/context.ts'
import { TEXTS } from '../texts.ts'
import { keptOf, nameOf, numberOf } from './names.ts'

interface Properties {
  /** At least two. */
  persons: readonly PersonSummary[]
  /** Gets the kept person after the merge, and the number of merged ones. */
  onMerged: (kept: PersonSummary, count: number) => void
  onClose: () => void
}

export function MergeDialog({ persons, onMerged, onClose }: Properties) {
  const { client } = useService()
  const group = useId()
  const [keptId, setKeptId] = useState(keptOf(persons)!.id)
  const run = async () => {
    const others = persons.map(({ id }) => id).filter(id => id !== keptId)
    onMerged(await client.persons.merge(keptId, others), others.length)
  }
  return (
    <ConfirmDialog
      title={TEXTS.mergeDialog.title(persons.length)}
      text={TEXTS.mergeDialog.text}
      confirm={TEXTS.mergeDialog.confirm(persons.length)}
      run={run}
      onClose={onClose}
    >
      <fieldset class="kept">
        <legend>{TEXTS.mergeDialog.kept}</legend>
        {persons.map(person => (
          <label key={person.id} class="check">
            <input
              type="radio"
              name={group}
              checked={person.id === keptId}
              onChange={() => setKeptId(person.id)}
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

/** Asks which of several persons a merge keeps, and merges the others into this one. */
import { useId, useState } from 'preact/hooks'
import type { PersonSummary } from '../../clients/typescript/src/index.ts'
import { Dialog } from '../components/dialog.tsx'
import { Problem } from '../components/problem.tsx'
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
  const [isRunning, setIsRunning] = useState(false)
  const [problem, setProblem] = useState<unknown>()
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    setIsRunning(true)
    setProblem(undefined)
    const others = persons.map(({ id }) => id).filter(id => id !== keptId)
    try {
      onMerged(await client.persons.merge(keptId, others), others.length)
    } catch (error) {
      setProblem(error)
      setIsRunning(false)
    }
  }
  return (
    <Dialog title={TEXTS.mergeDialog.title(persons.length)} onClose={onClose}>
      <form onSubmit={event => void submit(event)}>
        <p>{TEXTS.mergeDialog.text}</p>
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
        {problem !== undefined && <Problem error={problem} />}
        <div class="actions">
          <button type="button" class="quiet" onClick={onClose}>
            {TEXTS.cancel}
          </button>
          <button type="submit" class="primary" disabled={isRunning}>
            {TEXTS.mergeDialog.confirm(persons.length)}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

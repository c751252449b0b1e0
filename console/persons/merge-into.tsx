/** Finds another person by number, and merges the two after a dialog. */
import { useId, useState } from 'preact/hooks'
import type { PersonSummary } from '../../clients/typescript/src/index.ts'
import { Problem } from '../components/problem.tsx'
import { useService } from '../connection/context.ts'
import { hashOf } from '../route.ts'
import { TEXTS } from '../texts.ts'
import type { Merge } from './merge.ts'
import { MergeDialog } from './merge-dialog.tsx'

interface Properties {
  person: PersonSummary
  onMerged: (merge: Merge) => void
}

export function MergeInto({ person, onMerged }: Properties) {
  const { client } = useService()
  const id = useId()
  const [other, setOther] = useState<PersonSummary>()
  const [problem, setProblem] = useState<unknown>()
  const find = async (event: SubmitEvent) => {
    event.preventDefault()
    const typed = Number(new FormData(event.currentTarget as HTMLFormElement).get('other'))
    setProblem(typed === person.id ? TEXTS.person.itself : undefined)
    if (typed === person.id) return
    try {
      setOther(await client.persons.summary(typed))
    } catch (error) {
      setProblem(error)
    }
  }
  const merged = (merge: Merge) => {
    setOther(undefined)
    onMerged(merge)
    location.hash = hashOf({ page: 'person', id: merge.kept.id })
  }
  return (
    <>
      <form class="card person-form" onSubmit={event => void find(event)}>
        <h2>{TEXTS.person.mergeWith}</h2>
        <label for={id}>{TEXTS.person.otherId}</label>
        <div class="field-row">
          <input id={id} name="other" type="number" min={0} step={1} required autocomplete="off" />
          <button type="submit">{TEXTS.person.find}</button>
        </div>
        {problem !== undefined && <Problem error={problem} />}
      </form>
      {other && (
        <MergeDialog persons={[person, other]} onMerged={merged} onClose={() => setOther(undefined)} />
      )}
    </>
  )
}

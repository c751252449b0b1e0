/** A form for the meta of a person. */
import { useId, useState } from 'preact/hooks'
import type { PersonSummary } from '../../clients/typescript/src/index.ts'
import { Problem } from '../components/problem.tsx'
import { useService } from '../connection/context.ts'
import { TEXTS } from '../texts.ts'
import { hasOwnMeta } from './names.ts'

export function Rename({ person, onChanged }: { person: PersonSummary; onChanged: () => void }) {
  const { client } = useService()
  const id = useId()
  const [state, setState] = useState<'idle' | 'running' | 'saved'>('idle')
  const [problem, setProblem] = useState<unknown>()
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget as HTMLFormElement)
    setState('running')
    setProblem(undefined)
    try {
      await client.persons.update(person.id, { meta: String(fields.get('meta')), faces: fields.has('faces') })
      setState('saved')
      onChanged()
    } catch (error) {
      setProblem(error)
      setState('idle')
    }
  }
  return (
    <form class="card person-form" onSubmit={event => void submit(event)}>
      <h2>{TEXTS.person.renameTitle}</h2>
      <label for={id}>{TEXTS.person.rename}</label>
      <div class="field-row">
        <input
          id={id}
          name="meta"
          autocomplete="off"
          defaultValue={hasOwnMeta(person) ? person.meta : ''}
          onInput={() => setState('idle')}
        />
        <button type="submit" disabled={state === 'running'}>
          {TEXTS.person.save}
        </button>
      </div>
      <label class="check">
        <input type="checkbox" name="faces" />
        {TEXTS.person.renameFaces}
      </label>
      {problem !== undefined && <Problem error={problem} />}
      <p role="status" class="hint">
        {state === 'saved' && TEXTS.person.saved}
      </p>
    </form>
  )
}

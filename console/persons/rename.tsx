/** A form for the meta of a person. */
import { useId, useState } from 'preact/hooks'
import type { PersonChange, PersonSummary } from '../../clients/typescript/src/index.ts'
import { ConfirmDialog } from '../components/confirm-dialog.tsx'
import { Problem } from '../components/problem.tsx'
import { useService } from '../connection/context.ts'
import { TEXTS } from '../texts.ts'
import { hasOwnMeta } from './names.ts'

export function Rename({ person, onChanged }: { person: PersonSummary; onChanged: () => void }) {
  const { client } = useService()
  const id = useId()
  const [state, setState] = useState<'idle' | 'running' | 'saved'>('idle')
  const [problem, setProblem] = useState<unknown>()
  const [asked, setAsked] = useState<PersonChange>()
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget as HTMLFormElement)
    const change = { meta: String(fields.get('meta')), faces: fields.has('faces') }
    if (change.faces) setAsked(change)
    else void save(change)
  }
  const save = async (change: PersonChange) => {
    setAsked(undefined)
    setState('running')
    setProblem(undefined)
    try {
      await client.persons.update(person.id, change)
      setState('saved')
      onChanged()
    } catch (error) {
      setProblem(error)
      setState('idle')
    }
  }
  return (
    <>
      <form class="card person-form" onSubmit={submit}>
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
      {asked && (
        <ConfirmDialog
          title={TEXTS.person.renameFacesTitle(person.count)}
          text={TEXTS.person.renameFacesText}
          confirm={TEXTS.person.renameFacesConfirm(person.count)}
          isDanger
          run={() => save(asked)}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  )
}

/** Moves faces of a person to a new one, after a dialog that names their number. */
import { useId, useState } from 'preact/hooks'
import type { PersonSummary } from '../../clients/typescript/src/index.ts'
import { Dialog } from '../components/dialog.tsx'
import { Problem } from '../components/problem.tsx'
import { useService } from '../connection/context.ts'
import { TEXTS } from '../texts.ts'

interface Properties {
  person: number
  faces: readonly number[]
  onSplit: (created: PersonSummary) => void
  onClose: () => void
}

export function SplitDialog({ person, faces, onSplit, onClose }: Properties) {
  const { client } = useService()
  const id = useId()
  const [isRunning, setIsRunning] = useState(false)
  const [problem, setProblem] = useState<unknown>()
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const meta = String(new FormData(event.currentTarget as HTMLFormElement).get('meta')) || undefined
    setIsRunning(true)
    setProblem(undefined)
    try {
      onSplit(await client.persons.split(person, faces, { meta }))
    } catch (error) {
      setProblem(error)
      setIsRunning(false)
    }
  }
  return (
    <Dialog title={TEXTS.person.splitTitle(faces.length)} onClose={onClose}>
      <form onSubmit={event => void submit(event)}>
        <p>{TEXTS.person.splitText}</p>
        <div class="field">
          <label for={id}>{TEXTS.person.splitMeta}</label>
          <input id={id} name="meta" autocomplete="off" />
        </div>
        {problem !== undefined && <Problem error={problem} />}
        <div class="actions">
          <button type="button" class="quiet" onClick={onClose}>
            {TEXTS.cancel}
          </button>
          <button type="submit" class="primary" disabled={isRunning}>
            {TEXTS.person.splitConfirm(faces.length)}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

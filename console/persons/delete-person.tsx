/** Deletes a person with all faces, after a dialog that names their number. */
import { useState } from 'preact/hooks'
import type { PersonSummary } from '../../clients/typescript/src/index.ts'
import { Dialog } from '../components/dialog.tsx'
import { Problem } from '../components/problem.tsx'
import { useService } from '../connection/context.ts'
import { hashOf } from '../route.ts'
import { TEXTS } from '../texts.ts'
import { nameOf } from './names.ts'

export function DeletePerson({ person }: { person: PersonSummary }) {
  const { client } = useService()
  const [isAsked, setIsAsked] = useState(false)
  const [isRunning, setIsRunning] = useState(false)
  const [problem, setProblem] = useState<unknown>()
  const close = () => {
    setIsAsked(false)
    setProblem(undefined)
  }
  const submit = async () => {
    setIsRunning(true)
    setProblem(undefined)
    try {
      await client.persons.delete(person.id)
      location.hash = hashOf({ page: 'persons' })
    } catch (error) {
      setProblem(error)
      setIsRunning(false)
    }
  }
  return (
    <>
      <button type="button" class="danger" onClick={() => setIsAsked(true)}>
        {TEXTS.person.delete}
      </button>
      {isAsked && (
        <Dialog title={TEXTS.person.deleteTitle(nameOf(person))} onClose={close}>
          <p>{TEXTS.person.deleteText(person.count)}</p>
          {problem !== undefined && <Problem error={problem} />}
          <div class="actions">
            <button type="button" class="quiet" onClick={close}>
              {TEXTS.cancel}
            </button>
            <button type="button" class="danger solid" disabled={isRunning} onClick={() => void submit()}>
              {TEXTS.person.deleteConfirm(person.count)}
            </button>
          </div>
        </Dialog>
      )}
    </>
  )
}

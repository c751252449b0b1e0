/** Deletes a gallery with its faces, after the visitor has typed its name. */
import { useId, useState } from 'preact/hooks'
import { Dialog } from '../components/dialog.tsx'
import { Problem } from '../components/problem.tsx'
import { useService } from '../connection/context.ts'
import { hashOf } from '../route.ts'
import { TEXTS } from '../texts.ts'
import { forgetEnrolment } from './enrolment-memory.ts'

export function DeleteGallery({ name }: { name: string }) {
  const [isAsked, setIsAsked] = useState(false)
  return (
    <>
      <button type="button" class="danger" onClick={() => setIsAsked(true)}>
        {TEXTS.deleteGallery.open}
      </button>
      {isAsked && <DeleteDialog name={name} onClose={() => setIsAsked(false)} />}
    </>
  )
}

function DeleteDialog({ name, onClose }: { name: string; onClose: () => void }) {
  const { client } = useService()
  const id = useId()
  const [typed, setTyped] = useState('')
  const [isRunning, setIsRunning] = useState(false)
  const [problem, setProblem] = useState<unknown>()
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    setIsRunning(true)
    setProblem(undefined)
    try {
      await client.galleries.delete(name)
      forgetEnrolment()
      location.hash = hashOf({ page: 'galleries' })
    } catch (error) {
      setProblem(error)
      setIsRunning(false)
    }
  }
  return (
    <Dialog title={TEXTS.deleteGallery.title(name)} onClose={onClose}>
      <form onSubmit={event => void submit(event)}>
        <p>{TEXTS.deleteGallery.text}</p>
        <div class="field">
          <label for={id}>{TEXTS.deleteGallery.confirm}</label>
          <input
            id={id}
            autocomplete="off"
            spellcheck={false}
            value={typed}
            onInput={event => setTyped(event.currentTarget.value)}
          />
        </div>
        {problem !== undefined && <Problem error={problem} />}
        <div class="actions">
          <button type="button" class="quiet" onClick={onClose}>
            {TEXTS.cancel}
          </button>
          <button type="submit" class="danger solid" disabled={typed.trim() !== name || isRunning}>
            {TEXTS.deleteGallery.submit}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

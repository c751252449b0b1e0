/** A dialog that asks before an action, and shows why the action failed. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Dialog } from '../components/dialog.tsx'
import { Problem } from '../components/problem.tsx'
import { TEXTS } from '../texts.ts'

interface Properties {
  title: string
  text: string
  confirm: string
  isDanger?: boolean
  /** The action. The dialog stays open when it fails. */
  run: () => Promise<void>
  onClose: () => void
  children?: ComponentChildren
}

export function ConfirmDialog({ title, text, confirm, isDanger, run, onClose, children }: Properties) {
  const [isRunning, setIsRunning] = useState(false)
  const [problem, setProblem] = useState<unknown>()
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    setIsRunning(true)
    setProblem(undefined)
    await run().catch(error => {
      setProblem(error)
      setIsRunning(false)
    })
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={event => void submit(event)}>
        <p>{text}</p>
        {children}
        {problem !== undefined && <Problem error={problem} />}
        <div class="actions">
          <button type="button" class="quiet" onClick={onClose}>
            {TEXTS.cancel}
          </button>
          <button type="submit" class={isDanger ? 'danger solid' : 'primary'} disabled={isRunning}>
            {confirm}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

/** A dialog that asks before an action, and shows why the action failed. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { TEXTS } from '../texts.ts'
import { Dialog } from './dialog.tsx'
import { Problem } from './problem.tsx'

interface Properties {
  title: string
  text: string
  confirm: string
  isDanger?: boolean
  /** False while the fields do not allow the action. */
  canConfirm?: boolean
  /** The action. The dialog stays open when it fails. */
  run: () => Promise<void>
  onClose: () => void
  /** Fields between the text and the buttons. */
  children?: ComponentChildren
}

export function ConfirmDialog({
  title,
  text,
  confirm,
  isDanger,
  canConfirm = true,
  run,
  onClose,
  children,
}: Properties) {
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
          <button
            type="submit"
            class={isDanger ? 'danger solid' : 'primary'}
            disabled={!canConfirm || isRunning}
          >
            {confirm}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

/** Modal dialogs: a frame, a question before an action, and a new secret. */
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { focusedElement, useAction } from '../connection/task.ts'
import { TEXTS } from '../texts.ts'
import { InputField } from './fields.tsx'
import { Problem } from './state.tsx'

interface DialogProperties {
  title: string
  onClose: () => void
  children: ComponentChildren
}

/** Escape, the close button, and links that leave the page end it. */
export function Dialog({ title, onClose, children }: DialogProperties) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    // The reference is gone at the end of the dialog, and with it what had the focus before.
    const [element, focused] = [dialog.current, focusedElement()]
    element?.showModal()
    return () => {
      element?.close()
      if (focused instanceof HTMLElement) focused.focus()
    }
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys click links
    <dialog
      ref={dialog}
      aria-labelledby={id}
      // A dialog that another one replaces closes, too.
      onClose={() => dialog.current && onClose()}
      onCancel={onClose}
      onClick={({ target, ctrlKey, metaKey, shiftKey }) => {
        const isStaying = ctrlKey || metaKey || shiftKey
        if (!isStaying && target instanceof Element && target.closest('a[href]:not([download])')) onClose()
      }}
    >
      <div class="stack">
        <h2 id={id}>{title}</h2>
        {children}
      </div>
    </dialog>
  )
}

/** Question before an action. */
export interface Question {
  title: string
  text?: string
  confirm: string
  isDanger?: boolean
}

interface ConfirmProperties extends Question {
  /** False while the fields do not allow the action. */
  canConfirm?: boolean
  /** A text that the visitor has to type, and the label of its field. */
  typed?: { text: string; label: string }
  /** The action, with the fields of the dialog. The dialog closes afterwards, and stays open when it fails. */
  run: (fields: FormData) => Promise<unknown>
  onClose: () => void
  /** Fields between the text and the buttons. */
  children?: ComponentChildren
}

export function ConfirmDialog(properties: ConfirmProperties) {
  const { title, text, confirm, isDanger, canConfirm = true, typed, run, onClose, children } = properties
  const action = useAction()
  const [value, setValue] = useState('')
  const isTyped = typed === undefined || value.trim() === typed.text
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget as HTMLFormElement)
    void action.run(async () => {
      await run(fields)
      onClose()
    })
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <form class="stack" onSubmit={submit}>
        {text && <p>{text}</p>}
        {children}
        {typed && (
          <InputField
            label={typed.label}
            spellcheck={false}
            value={value}
            onInput={event => setValue(event.currentTarget.value)}
          />
        )}
        <Problem error={action.problem} />
        <div class="row actions">
          <button type="button" class="quiet" onClick={onClose}>
            {TEXTS.cancel}
          </button>
          <button
            type="submit"
            class={isDanger ? 'danger solid' : 'primary'}
            disabled={!canConfirm || !isTyped || action.isRunning}
          >
            {confirm}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

interface ConfirmButtonProperties extends Omit<ConfirmProperties, 'onClose'> {
  label: string
  class?: string
  disabled?: boolean
}

/** A button that asks before its action. */
export function ConfirmButton({ label, class: name, disabled, ...asked }: ConfirmButtonProperties) {
  const [isAsked, setIsAsked] = useState(false)
  return (
    <>
      <button
        type="button"
        class={name ?? (asked.isDanger ? 'danger' : '')}
        disabled={disabled}
        onClick={() => setIsAsked(true)}
      >
        {label}
      </button>
      {isAsked && <ConfirmDialog {...asked} onClose={() => setIsAsked(false)} />}
    </>
  )
}

interface SecretProperties {
  text: string
  texts: { title: string; text: string; label: string; copy: string }
  onClose: () => void
}

/** The text of a new secret, once, with a button to copy it. */
export function NewSecret({ text, texts, onClose }: SecretProperties) {
  const field = useRef<HTMLInputElement>(null)
  const copying = useAction()
  const copy = async () => {
    // Without the clipboard, which needs https, the selected text can be copied by keyboard.
    field.current?.select()
    await navigator.clipboard.writeText(text)
  }
  return (
    <Dialog title={texts.title} onClose={onClose}>
      <p>{texts.text}</p>
      <InputField
        label={texts.label}
        inputRef={field}
        class="secret"
        readOnly
        value={text}
        spellcheck={false}
        onFocus={event => event.currentTarget.select()}
      />
      <div class="row actions">
        <p class="grow" role="status">
          {copying.isDone && TEXTS.copied}
        </p>
        <button type="button" class="primary" onClick={() => void copying.run(copy)}>
          {texts.copy}
        </button>
        <button type="button" onClick={onClose}>
          {TEXTS.done}
        </button>
      </div>
    </Dialog>
  )
}

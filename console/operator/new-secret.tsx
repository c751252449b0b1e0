/** The text of a new token, once, with a button to copy it. */
import { useId, useRef, useState } from 'preact/hooks'
import { Dialog } from '../components/dialog.tsx'
import { TEXTS } from '../texts.ts'

export function NewSecret({ text, onClose }: { text: string; onClose: () => void }) {
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const [isCopied, setIsCopied] = useState(false)
  const copy = async () => {
    // Without the clipboard, which needs https, the selected text can be copied by keyboard.
    field.current?.select()
    await navigator.clipboard?.writeText(text).then(
      () => setIsCopied(true),
      () => setIsCopied(false),
    )
  }
  return (
    <Dialog title={TEXTS.secret.title} onClose={onClose}>
      <p>{TEXTS.secret.text}</p>
      <div class="field">
        <label for={id}>{TEXTS.secret.label}</label>
        <input
          ref={field}
          id={id}
          class="secret"
          readOnly
          value={text}
          autocomplete="off"
          spellcheck={false}
          onFocus={event => event.currentTarget.select()}
        />
      </div>
      <div class="actions">
        <p class="copied" role="status">
          {isCopied && TEXTS.secret.copied}
        </p>
        <button type="button" class="primary" onClick={() => void copy()}>
          {TEXTS.secret.copy}
        </button>
        <button type="button" onClick={onClose}>
          {TEXTS.secret.done}
        </button>
      </div>
    </Dialog>
  )
}

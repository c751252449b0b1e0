/** The text of a new secret, once, with a button to copy it. */
import { useId, useRef, useState } from 'preact/hooks'
import { Dialog } from './dialog.tsx'

interface Properties {
  text: string
  texts: { title: string; text: string; label: string; copy: string; copied: string; done: string }
  onClose: () => void
}

export function NewSecret({ text, texts, onClose }: Properties) {
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
    <Dialog title={texts.title} onClose={onClose}>
      <p>{texts.text}</p>
      <div class="field">
        <label for={id}>{texts.label}</label>
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
          {isCopied && texts.copied}
        </p>
        <button type="button" class="primary" onClick={() => void copy()}>
          {texts.copy}
        </button>
        <button type="button" onClick={onClose}>
          {texts.done}
        </button>
      </div>
    </Dialog>
  )
}

/** Deletes a gallery with its faces, after the visitor has typed its name. */
import { useId, useState } from 'preact/hooks'
import { ConfirmDialog } from '../components/confirm-dialog.tsx'
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
  const run = async () => {
    await client.galleries.delete(name)
    forgetEnrolment()
    location.hash = hashOf({ page: 'galleries' })
  }
  return (
    <ConfirmDialog
      title={TEXTS.deleteGallery.title(name)}
      text={TEXTS.deleteGallery.text}
      confirm={TEXTS.deleteGallery.submit}
      isDanger
      canConfirm={typed.trim() === name}
      run={run}
      onClose={onClose}
    >
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
    </ConfirmDialog>
  )
}

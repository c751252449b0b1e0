/** Moves faces of a person to a new one, after a dialog that names their number. */
import { useId, useState } from 'preact/hooks'
import type { PersonSummary } from '../../clients/typescript/src/index.ts'
import { ConfirmDialog } from '../components/confirm-dialog.tsx'
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
  const [meta, setMeta] = useState('')
  const run = async () => onSplit(await client.persons.split(person, faces, { meta: meta || undefined }))
  return (
    <ConfirmDialog
      title={TEXTS.person.splitTitle(faces.length)}
      text={TEXTS.person.splitText}
      confirm={TEXTS.person.splitConfirm(faces.length)}
      run={run}
      onClose={onClose}
    >
      <div class="field">
        <label for={id}>{TEXTS.person.splitMeta}</label>
        <input
          id={id}
          autocomplete="off"
          value={meta}
          onInput={event => setMeta(event.currentTarget.value)}
        />
      </div>
    </ConfirmDialog>
  )
}

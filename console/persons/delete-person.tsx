/** Deletes a person with all faces, after a dialog that names their number. */
import { useState } from 'preact/hooks'
import type { PersonSummary } from '../../clients/typescript/src/index.ts'
import { ConfirmDialog } from '../components/confirm-dialog.tsx'
import { useService } from '../connection/context.ts'
import { hashOf } from '../route.ts'
import { TEXTS } from '../texts.ts'
import { nameOf } from './names.ts'

export function DeletePerson({ person }: { person: PersonSummary }) {
  const { client } = useService()
  const [isAsked, setIsAsked] = useState(false)
  const run = async () => {
    await client.persons.delete(person.id)
    location.hash = hashOf({ page: 'persons' })
  }
  return (
    <>
      <button type="button" class="danger" onClick={() => setIsAsked(true)}>
        {TEXTS.person.delete}
      </button>
      {isAsked && (
        <ConfirmDialog
          title={TEXTS.person.deleteTitle(nameOf(person))}
          text={TEXTS.person.deleteText(person.count)}
          confirm={TEXTS.person.deleteConfirm(person.count)}
          isDanger
          run={run}
          onClose={() => setIsAsked(false)}
        />
      )}
    </>
  )
}

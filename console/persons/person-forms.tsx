/** Forms of the page of a person: its meta, whether it is one to ignore, and a merge with another person. */
import { useState } from 'preact/hooks'
import type { MienClient, Person, PersonSummary } from '../../clients/typescript/src/index.ts'
import { CheckField, Field } from '../components/fields.tsx'
import { PersonPicker } from '../components/person-picker.tsx'
import { EnabledSwitch, useSaveForm } from '../components/save-form.tsx'
import { Problem } from '../components/state.tsx'
import { useClient } from '../connection/service.ts'
import { hasOwnMeta } from '../person-names.ts'
import { hashOf } from '../route.ts'
import { TEXTS } from '../texts.ts'
import type { Merge } from './merge.ts'
import { MergeDialog } from './merge-dialog.tsx'

export function Rename({ person, onChanged }: { person: PersonSummary; onChanged: () => void }) {
  const client = useClient()
  const texts = TEXTS.person
  const { action, attributes, dialog } = useSaveForm({
    read: fields => ({ meta: String(fields.get('meta')), faces: fields.has('faces') }),
    question: ({ faces }) => (faces ? texts.renameFacesQuestion(person.count) : undefined),
    async save(change) {
      await client.persons.update(person.id, change)
      onChanged()
    },
  })
  return (
    <>
      <form class="card stack" {...attributes}>
        <h2>{texts.renameTitle}</h2>
        <Field label={texts.rename}>
          {field => (
            <div class="row">
              <input
                {...field}
                name="meta"
                autocomplete="off"
                maxLength={4096}
                defaultValue={hasOwnMeta(person) ? person.meta : ''}
              />
              <button type="submit" disabled={action.isRunning}>
                {TEXTS.save}
              </button>
            </div>
          )}
        </Field>
        <CheckField label={texts.renameFaces} name="faces" />
        <Problem error={action.problem} />
        <p role="status" class="hint">
          {action.isDone && TEXTS.saved}
        </p>
      </form>
      {dialog}
    </>
  )
}

/** Keeps the present meta: another visitor may have renamed the person since the page was loaded. */
export async function ignorePerson(client: MienClient, id: number, silent: boolean): Promise<Person> {
  const { meta } = await client.persons.get(id)
  return client.persons.update(id, { meta, silent })
}

/** The switch of a person to ignore. */
export function Ignore({
  person,
  onChanged,
}: {
  person: Pick<PersonSummary, 'id' | 'silent'>
  onChanged: () => void
}) {
  const client = useClient()
  const texts = TEXTS.person
  const ignore = async (silent: boolean) => {
    const changed = await ignorePerson(client, person.id, silent)
    onChanged()
    return changed.silent ?? false
  }
  return (
    <div class="stack tight">
      <EnabledSwitch label={texts.ignore} isEnabled={person.silent ?? false} onChange={ignore} />
      <p class="hint">{texts.ignoreHint}</p>
    </div>
  )
}

interface MergeProperties {
  person: PersonSummary
  onMerged: (merge: Merge) => void
}

/** Finds another person by name, and merges the two after a dialog. */
export function MergeInto({ person, onMerged }: MergeProperties) {
  const [other, setOther] = useState<PersonSummary>()
  const texts = TEXTS.person
  const merged = (merge: Merge) => {
    onMerged(merge)
    location.hash = hashOf({ page: 'person', id: merge.kept.id })
  }
  return (
    <section class="card stack">
      <h2>{texts.mergeWith}</h2>
      <PersonPicker label={texts.other} without={person.id} onPick={setOther} />
      {other && (
        <MergeDialog persons={[person, other]} onMerged={merged} onClose={() => setOther(undefined)} />
      )}
    </section>
  )
}

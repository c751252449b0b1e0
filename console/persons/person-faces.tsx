/** The faces of a person. Selected ones can be split off. */
import { useState } from 'preact/hooks'
import type { PersonSummary } from '../../clients/typescript/src/index.ts'
import { ConfirmButton } from '../components/dialog.tsx'
import { InputField } from '../components/fields.tsx'
import { useService } from '../connection/service.ts'
import { useAllowed } from '../connection/session.ts'
import { FaceGrid } from '../grid/face-grid.tsx'
import { SelectionBar, usePagedList } from '../grid/tile-grid.tsx'
import { TEXTS } from '../texts.ts'
import { MOST_SPLIT } from './merge.ts'

interface Properties {
  person: PersonSummary
  onSplit: (created: PersonSummary) => void
}

export function PersonFaces({ person, onSplit }: Properties) {
  const { client } = useService()
  const maySplit = useAllowed('manage')
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set())
  const list = usePagedList(
    (asked, options) => client.faces.list({ person_id: person.id, ...asked }, options),
    [client, person.id],
  )
  const { size } = selected
  const split = async (fields: FormData) => {
    const meta = String(fields.get('meta')) || undefined
    onSplit(await client.persons.split(person.id, [...selected], { meta }))
  }
  const texts = TEXTS.person
  return (
    <>
      <FaceGrid
        list={list}
        selected={selected}
        onSelected={maySplit ? setSelected : undefined}
        empty={texts.noFaces}
      />
      {size > 0 && (
        <SelectionBar
          label={TEXTS.selection.label}
          text={TEXTS.selection.count(size)}
          onClear={() => setSelected(new Set())}
        >
          <ConfirmButton
            label={texts.split}
            disabled={size >= person.count || size > MOST_SPLIT}
            {...texts.splitQuestion(size)}
            run={split}
          >
            <InputField label={texts.splitMeta} name="meta" maxLength={4096} />
          </ConfirmButton>
        </SelectionBar>
      )}
    </>
  )
}

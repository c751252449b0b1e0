/** The faces of a person. Selected ones can be split off. */
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { PersonSummary } from '../../clients/typescript/src/index.ts'
import { useService } from '../connection/context.ts'
import { useAllowed } from '../connection/token.ts'
import { FaceGrid } from '../grid/face-grid.tsx'
import { TEXTS } from '../texts.ts'
import { personFaces } from './face-pages.ts'
import { MOST_SPLIT } from './merge.ts'
import { SplitDialog } from './split-dialog.tsx'

interface Properties {
  person: PersonSummary
  onSplit: (created: PersonSummary) => void
}

export function PersonFaces({ person, onSplit }: Properties) {
  const { client } = useService()
  const maySplit = useAllowed('administer')
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set())
  const [isAsked, setIsAsked] = useState(false)
  const list = useMemo(() => personFaces(client, person.id), [client, person.id])
  useEffect(() => () => list.close(), [list])
  const canSplit = selected.size < person.count && selected.size <= MOST_SPLIT
  return (
    <>
      <FaceGrid
        list={list}
        selected={selected}
        onSelected={maySplit ? setSelected : undefined}
        empty={TEXTS.person.noFaces}
      />
      {selected.size > 0 && (
        <section class="selection-bar" aria-label={TEXTS.selection.label}>
          <p role="status">{TEXTS.selection.count(selected.size)}</p>
          <button type="button" disabled={!canSplit} onClick={() => setIsAsked(true)}>
            {TEXTS.person.split}
          </button>
          <button type="button" class="quiet" onClick={() => setSelected(new Set())}>
            {TEXTS.selection.clear}
          </button>
        </section>
      )}
      {isAsked && (
        <SplitDialog
          person={person.id}
          faces={[...selected]}
          onSplit={onSplit}
          onClose={() => setIsAsked(false)}
        />
      )}
    </>
  )
}

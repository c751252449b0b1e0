/** The page Persons: suggestions of merges, and all persons with a face of each. */
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { MienClient, PersonSummary } from '../../clients/typescript/src/index.ts'
import { useService } from '../connection/context.ts'
import { useAllowed } from '../connection/token.ts'
import { firstPage, PAGE_SIZE, PagedList } from '../grid/paged-list.ts'
import { TileGrid } from '../grid/tile-grid.tsx'
import { TEXTS } from '../texts.ts'
import { MergeDialog } from './merge-dialog.tsx'
import { nameOf } from './names.ts'
import { PersonTile } from './person-tile.tsx'
import { Suggestions } from './suggestions.tsx'

/** Persons of one merge: the kept one, and the most that the API takes. */
const MOST_MERGED = 101

type Chosen = ReadonlyMap<number, PersonSummary>

const NONE: Chosen = new Map()

export function PersonsPage() {
  const { client } = useService()
  const mayMerge = useAllowed('administer')
  const [lists, setLists] = useState(0)
  const [chosen, setChosen] = useState(NONE)
  const [isAsked, setIsAsked] = useState(false)
  const [outcome, setOutcome] = useState('')
  const list = useMemo(() => personList(client), [client, lists])
  useEffect(() => () => list.close(), [list])

  const toggle = (person: PersonSummary) => {
    const next = new Map(chosen)
    if (!next.delete(person.id)) next.set(person.id, person)
    setChosen(next)
    setOutcome('')
  }
  const merged = (kept: PersonSummary, count: number) => {
    setIsAsked(false)
    setChosen(NONE)
    setOutcome(TEXTS.persons.merged(count, nameOf(kept)))
    setLists(number => number + 1)
  }
  return (
    <>
      <header class="page-head">
        <h1>{TEXTS.persons.title}</h1>
        <p>{TEXTS.persons.intro}</p>
      </header>
      {mayMerge && <Suggestions changes={lists} onMerged={kept => merged(kept, 1)} />}
      <p role="status" class="outcome">
        {outcome}
      </p>
      <TileGrid
        list={list}
        label={TEXTS.persons.grid}
        count={TEXTS.persons.loaded}
        empty={TEXTS.persons.empty}
      >
        {person => (
          <PersonTile
            person={person}
            isSelected={chosen.has(person.id)}
            onToggle={mayMerge ? () => toggle(person) : undefined}
          />
        )}
      </TileGrid>
      {chosen.size > 0 && (
        <section class="selection-bar" aria-label={TEXTS.persons.selection}>
          <p role="status">
            {chosen.size > MOST_MERGED
              ? TEXTS.persons.tooMany(MOST_MERGED)
              : TEXTS.persons.selected(chosen.size)}
          </p>
          <button
            type="button"
            disabled={chosen.size < 2 || chosen.size > MOST_MERGED}
            onClick={() => setIsAsked(true)}
          >
            {TEXTS.persons.merge}
          </button>
          <button type="button" class="quiet" onClick={() => setChosen(NONE)}>
            {TEXTS.persons.clear}
          </button>
        </section>
      )}
      {isAsked && (
        <MergeDialog persons={[...chosen.values()]} onMerged={merged} onClose={() => setIsAsked(false)} />
      )}
    </>
  )
}

const personList = (client: MienClient): PagedList<PersonSummary> =>
  new PagedList((after, signal) =>
    firstPage(client.persons.summaries({ pageSize: PAGE_SIZE, max_id: after }, { signal })),
  )

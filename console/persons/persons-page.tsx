/** The page Persons: suggestions of merges, and all persons with a face of each. */
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { MienClient, PersonSummary } from '../../clients/typescript/src/index.ts'
import { useService } from '../connection/context.ts'
import { useAllowed } from '../connection/token.ts'
import { firstPage, PAGE_SIZE, PagedList } from '../grid/paged-list.ts'
import { TileGrid } from '../grid/tile-grid.tsx'
import { TEXTS } from '../texts.ts'
import type { Merge } from './merge.ts'
import { MergeDialog } from './merge-dialog.tsx'
import { MergeNotice } from './merge-notice.tsx'
import { PersonTile } from './person-tile.tsx'
import { Suggestions } from './suggestions.tsx'

/** Persons of one merge: the kept one, and the most that the API takes. */
const MOST_MERGED = 101

type Chosen = ReadonlyMap<number, PersonSummary>

const NONE: Chosen = new Map()

interface Properties {
  /** The last merge of this visit. */
  merge: Merge | undefined
  onMerge: (merge: Merge) => void
}

export function PersonsPage({ merge, onMerge }: Properties) {
  const { client } = useService()
  const mayMerge = useAllowed('administer')
  const [lists, setLists] = useState(0)
  const [chosen, setChosen] = useState(NONE)
  const [asked, setAsked] = useState<readonly PersonSummary[]>()
  const list = useMemo(() => personList(client), [client, lists])
  useEffect(() => () => list.close(), [list])

  const toggle = (person: PersonSummary) => {
    const next = new Map(chosen)
    if (!next.delete(person.id)) next.set(person.id, person)
    setChosen(next)
  }
  const merged = (done: Merge) => {
    setAsked(undefined)
    setChosen(NONE)
    onMerge(done)
    setLists(number => number + 1)
  }
  return (
    <>
      <header class="page-head">
        <h1>{TEXTS.persons.title}</h1>
        <p>{TEXTS.persons.intro}</p>
      </header>
      {mayMerge && <Suggestions changes={lists} onMerge={setAsked} />}
      {merge && <MergeNotice merge={merge} onMerge={merged} />}
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
            onClick={() => setAsked([...chosen.values()])}
          >
            {TEXTS.persons.merge}
          </button>
          <button type="button" class="quiet" onClick={() => setChosen(NONE)}>
            {TEXTS.persons.clear}
          </button>
        </section>
      )}
      {asked && <MergeDialog persons={asked} onMerged={merged} onClose={() => setAsked(undefined)} />}
    </>
  )
}

const personList = (client: MienClient): PagedList<PersonSummary> =>
  new PagedList((after, signal) =>
    firstPage(client.persons.summaries({ pageSize: PAGE_SIZE, max_id: after }, { signal })),
  )

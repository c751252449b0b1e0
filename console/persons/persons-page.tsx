/** The page Persons: suggestions of merges, and all persons with a face of each. */
import { useState } from 'preact/hooks'
import type { PersonSummary } from '../../clients/typescript/src/index.ts'
import { Thumbnail } from '../components/faces.tsx'
import { PageHead } from '../components/page.tsx'
import { useService } from '../connection/service.ts'
import { useAllowed } from '../connection/session.ts'
import { formatDate, formatDay } from '../format.ts'
import { SelectionBar, TileGrid, usePagedList } from '../grid/tile-grid.tsx'
import { hashOf } from '../route.ts'
import { TEXTS } from '../texts.ts'
import { type Merge, nameOf } from './merge.ts'
import { MergeDialog, MergeNotice } from './merge-dialog.tsx'
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
  const list = usePagedList((asked, options) => client.persons.summaries(asked, options), [client, lists])

  const toggle = (person: PersonSummary) => {
    const next = new Map(chosen)
    if (!next.delete(person.id)) next.set(person.id, person)
    setChosen(next)
  }
  const merged = (done: Merge) => {
    setChosen(NONE)
    onMerge(done)
    setLists(number => number + 1)
  }
  return (
    <>
      <PageHead title={TEXTS.persons.title} intro={TEXTS.persons.intro} />
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
        <SelectionBar
          label={TEXTS.persons.selection}
          text={
            chosen.size > MOST_MERGED
              ? TEXTS.persons.tooMany(MOST_MERGED)
              : TEXTS.persons.selected(chosen.size)
          }
          onClear={() => setChosen(NONE)}
        >
          <button
            type="button"
            disabled={chosen.size < 2 || chosen.size > MOST_MERGED}
            onClick={() => setAsked([...chosen.values()])}
          >
            {TEXTS.persons.merge}
          </button>
        </SelectionBar>
      )}
      {asked && <MergeDialog persons={asked} onMerged={merged} onClose={() => setAsked(undefined)} />}
    </>
  )
}

interface TileProperties {
  person: PersonSummary
  isSelected: boolean
  /** Undefined: the person cannot be selected. */
  onToggle: (() => void) | undefined
}

/** A checkbox where the person can be selected, and a link with a face, the name, the number of faces and the last time. */
const PersonTile = ({ person, isSelected, onToggle }: TileProperties) => {
  const { id, count, face, latest } = person
  const name = nameOf(person)
  return (
    <div class={`stack tile${isSelected ? ' selected' : ''}`}>
      {onToggle && (
        <input
          type="checkbox"
          checked={isSelected}
          aria-label={TEXTS.persons.select(name)}
          onChange={onToggle}
        />
      )}
      <a class="person-link" href={hashOf({ page: 'person', id })}>
        <Thumbnail face={face} />
        <span class="tile-meta" title={name}>
          {name}
        </span>
        <span class="hint" title={latest && TEXTS.persons.lastSeen(formatDate(latest.timestamp))}>
          {TEXTS.persons.faces(count)}
          {latest && ` · ${formatDay(latest.timestamp)}`}
        </span>
      </a>
      {latest?.friend && <span class="badge">{TEXTS.persons.friend}</span>}
    </div>
  )
}

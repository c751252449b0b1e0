/** Pairs of persons that may be the same, with buttons to merge them or to put the pair aside. */
import { useState } from 'preact/hooks'
import type { PersonSuggestion, PersonSummary } from '../../clients/typescript/src/index.ts'
import { Confidence, Thumbnail } from '../components/face-boxes.tsx'
import { Searched } from '../components/state.tsx'
import { useClient } from '../connection/service.ts'
import { useSearch } from '../connection/task.ts'
import { nameOf } from '../person-names.ts'
import { hashOf } from '../route.ts'
import { TEXTS } from '../texts.ts'
import { suggestionSearch } from './searches.ts'

interface Properties {
  /** The search starts over when this grows. */
  changes: number
  onMerge: (persons: readonly PersonSummary[]) => void
}

const keyOf = ({ persons }: PersonSuggestion) => persons.map(({ id }) => id).join('-')

export function Suggestions({ changes, onMerge }: Properties) {
  const client = useClient()
  const [dismissed, setDismissed] = useState<ReadonlySet<string>>(new Set())
  const search = useSearch(signal => suggestionSearch(client, signal), [client, changes])
  const shown = search.found.filter(pair => !dismissed.has(keyOf(pair)))
  if (search.state === 'complete' && search.found.length === 0) return null
  return (
    <section class="card stack" aria-labelledby="suggestions-title">
      <h2 id="suggestions-title">{TEXTS.suggestions.title}</h2>
      <p class="hint">{TEXTS.suggestions.intro}</p>
      <ul class="cards">
        {shown.map(pair => (
          <Pair
            key={keyOf(pair)}
            pair={pair}
            onMerge={onMerge}
            onDismiss={() => setDismissed(new Set([...dismissed, keyOf(pair)]))}
          />
        ))}
      </ul>
      <Searched search={search} isEmpty={shown.length === 0} texts={TEXTS.suggestions} />
    </section>
  )
}

interface PairProperties {
  pair: PersonSuggestion
  onMerge: (persons: readonly PersonSummary[]) => void
  onDismiss: () => void
}

function Pair({ pair: { confidence, persons }, onMerge, onDismiss }: PairProperties) {
  const [first, second] = persons.map(nameOf)
  return (
    <li class="card stack tight suggestion" aria-label={TEXTS.suggestions.pair(first!, second!)}>
      <div class="suggested">
        {persons.map(person => (
          <a key={person.id} href={hashOf({ page: 'person', id: person.id })}>
            <Thumbnail face={person.face} />
            <strong class="tile-meta">{nameOf(person)}</strong>
            <span class="hint">{TEXTS.persons.faces(person.count)}</span>
          </a>
        ))}
      </div>
      <Confidence value={confidence} />
      <div class="row">
        <button type="button" class="quiet" onClick={onDismiss}>
          {TEXTS.suggestions.notNow}
        </button>
        <button type="button" class="primary" onClick={() => onMerge(persons)}>
          {TEXTS.suggestions.merge}
        </button>
      </div>
    </li>
  )
}

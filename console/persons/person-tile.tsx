/** A person in the grid: a checkbox where it can be selected, and a link with a face, the name, the number of faces and the last time. */
import type { PersonSummary } from '../../clients/typescript/src/index.ts'
import { Thumbnail } from '../components/thumbnail.tsx'
import { formatDate, formatDay } from '../format.ts'
import { hashOf } from '../route.ts'
import { TEXTS } from '../texts.ts'
import { nameOf } from './names.ts'

interface Properties {
  person: PersonSummary
  isSelected: boolean
  /** Undefined: the person cannot be selected. */
  onToggle: (() => void) | undefined
}

export const PersonTile = ({ person, isSelected, onToggle }: Properties) => {
  const { id, count, face, latest } = person
  const name = nameOf(person)
  return (
    <div class={`tile${isSelected ? ' selected' : ''}`}>
      {onToggle && (
        <input
          type="checkbox"
          checked={isSelected}
          aria-label={TEXTS.persons.select(name)}
          onChange={onToggle}
        />
      )}
      <a class="person-link" href={hashOf({ page: 'person', id })}>
        <Thumbnail face={face ?? { thumbnail: '' }} />
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

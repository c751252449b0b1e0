/** Finding persons by a part of their names, with portraits: a field for one person, and one that keeps the chosen one. */
import { useState } from 'preact/hooks'
import type { PersonSummary } from '../../clients/typescript/src/index.ts'
import { useService } from '../connection/service.ts'
import { type Task, useTask } from '../connection/task.ts'
import { nameOf, numberOf } from '../person-names.ts'
import { TEXTS } from '../texts.ts'
import { Thumbnail } from './faces.tsx'
import { InputField } from './fields.tsx'
import { Loaded } from './state.tsx'

/** Persons that are offered. */
const MOST_OFFERED = 6

/** Pause after the last letter, in milliseconds. */
const TYPING_MS = 150

/** Persons whose names contain the text, newest first, and the one with this number. Nothing is asked for without a text. */
export function useNamedPersons(text: string): Task<PersonSummary[]> {
  const { client } = useService()
  const name = text.trim()
  const find = async (signal: AbortSignal) => {
    await new Promise(resolve => setTimeout(resolve, TYPING_MS))
    signal.throwIfAborted()
    const [, number] = /^(?:person )?(\d{1,15})$/i.exec(name) ?? []
    const numbered = number && client.persons.summary(Number(number), { signal }).catch(() => undefined)
    const named = client.persons.summaries({ name, pageSize: MOST_OFFERED }, { signal }).toArray(MOST_OFFERED)
    return [(await numbered) || [], await named].flat()
  }
  return useTask(name === '' ? undefined : find, [name])
}

/** Portrait, name, number and faces of a person. */
export const PersonLine = ({ person }: { person: PersonSummary }) => (
  <>
    <Thumbnail face={person.face} />
    <span class="grow">
      <strong>{nameOf(person)}</strong>
      <small>{[...numberOf(person), TEXTS.persons.faces(person.count)].join(' · ')}</small>
    </span>
  </>
)

interface PickerProperties {
  label: string
  /** A person that is not offered. */
  without?: number | undefined
  onPick: (person: PersonSummary) => void
  /** Takes a name that nobody has. Undefined: only persons can be picked. */
  onName?: ((name: string) => void) | undefined
}

/** A field whose text finds persons. A click on one picks them. */
export function PersonPicker({ label, without, onPick, onName }: PickerProperties) {
  const [text, setText] = useState('')
  const found = useNamedPersons(text)
  const texts = TEXTS.picker
  const name = text.trim()
  const persons = found.value?.filter(({ id }) => id !== without)
  const isTaken = persons?.some(person => person.meta.toLowerCase() === name.toLowerCase())
  const pick = (picked: () => void) => {
    setText('')
    picked()
  }
  return (
    <div class="stack tight">
      <InputField
        label={label}
        type="search"
        placeholder={texts.placeholder}
        spellcheck={false}
        value={text}
        onInput={event => setText(event.currentTarget.value)}
        onKeyDown={event => event.key === 'Enter' && event.preventDefault()}
      />
      {name !== '' && <Loaded task={found} loading={texts.looking} />}
      {persons && name !== '' && (
        <ul class="stack tight small-faces" aria-label={texts.found}>
          {persons.map(person => (
            <li key={person.id}>
              <button type="button" class="bare line pick" onClick={() => pick(() => onPick(person))}>
                <PersonLine person={person} />
              </button>
            </li>
          ))}
          {onName && !isTaken && (
            <li>
              <button type="button" class="bare line pick" onClick={() => pick(() => onName(name))}>
                {texts.create(name)}
              </button>
            </li>
          )}
          {!onName && persons.length === 0 && <li class="hint">{texts.nobody(name)}</li>}
        </ul>
      )}
    </div>
  )
}

interface FieldProperties {
  label: string
  /** Ids of the chosen persons. */
  chosen: readonly number[]
  /** False: a second person replaces the first one. */
  isMany?: boolean
  onChosen: (ids: number[]) => void
}

/** A picker that shows the chosen persons. */
export const PersonField = ({ label, chosen, isMany = false, onChosen }: FieldProperties) => (
  <div class="stack tight">
    {(isMany || chosen.length === 0) && (
      <PersonPicker
        label={label}
        onPick={({ id }) => onChosen(isMany ? [...chosen.filter(one => one !== id), id] : [id])}
      />
    )}
    {chosen.length > 0 && (
      <ul class="stack tight small-faces" aria-label={TEXTS.picker.chosen}>
        {chosen.map(id => (
          <ChosenPerson key={id} id={id} onRemove={() => onChosen(chosen.filter(one => one !== id))} />
        ))}
      </ul>
    )}
  </div>
)

function ChosenPerson({ id, onRemove }: { id: number; onRemove: () => void }) {
  const { client } = useService()
  const person = useTask(signal => client.persons.summary(id, { signal }), [id]).value
  const name = person ? nameOf(person) : TEXTS.persons.numbered(id)
  return (
    <li class="line pick">
      {person ? <PersonLine person={person} /> : <span class="grow">{name}</span>}
      <button type="button" class="quiet" aria-label={TEXTS.picker.remove(name)} onClick={onRemove}>
        {TEXTS.clear}
      </button>
    </li>
  )
}

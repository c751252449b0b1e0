/** Finds persons by a part of their names, with portraits: a field for one person, and a field that keeps the chosen person. */
import { useRef, useState } from 'preact/hooks'
import type { PersonSummary } from '../../clients/typescript/src/index.ts'
import { useClient } from '../connection/service.ts'
import { type Task, useTask } from '../connection/task.ts'
import { foldText } from '../format.ts'
import { nameOf, numberOf } from '../person-names.ts'
import { TEXTS } from '../texts.ts'
import { Thumbnail } from './face-boxes.tsx'
import { InputField } from './fields.tsx'
import { usePicks } from './picks.ts'
import { Loaded } from './state.tsx'

/** Persons that are offered. */
const MOST_OFFERED = 6

/** Pause after the last letter, in milliseconds. */
const TYPING_MS = 150

/** Results for a text after a pause. Undefined until the results for this text arrive. An empty text sends no request. */
export function useTyped<T>(text: string, find: (name: string, signal: AbortSignal) => Promise<T>): Task<T> {
  const name = text.trim()
  const run = async (signal: AbortSignal) => {
    await new Promise(resolve => setTimeout(resolve, TYPING_MS))
    signal.throwIfAborted()
    return { name, found: await find(name, signal) }
  }
  const task = useTask(name === '' ? undefined : run, [name])
  return { ...task, value: task.value?.name === name ? task.value.found : undefined }
}

/** Persons with exactly this name; persons whose names contain its words, newest first; and the person with this number. */
export function useNamedPersons(text: string): Task<PersonSummary[]> {
  const client = useClient()
  return useTyped(text, async (name, signal) => {
    const [, number] = /^(?:person )?(\d{1,15})$/i.exec(name) ?? []
    const numbered = number && client.persons.summary(Number(number), { signal }).catch(() => undefined)
    const named = client.persons.summaries({ name, pageSize: MOST_OFFERED }, { signal }).toArray(MOST_OFFERED)
    const found = [(await numbered) || [], await named].flat()
    const [exact = [], others = []] = [true, false].map(is =>
      found.filter(person => (foldText(person.meta) === foldText(name)) === is),
    )
    return [...exact, ...others]
  })
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
  hint?: string
  /** A person that is not offered. */
  without?: number
  onPick: (person: PersonSummary) => void
  /** Receives a name that no person has. Undefined: only persons can be picked. */
  onName?: (name: string) => void
}

/** A field whose text finds persons. A click picks one, and Enter the only one with this name, or the only choice. */
export function PersonPicker({ label, hint, without, onPick, onName }: PickerProperties) {
  const [text, setText] = useState('')
  const box = useRef<HTMLDivElement>(null)
  const found = useNamedPersons(text)
  const texts = TEXTS.picker
  const name = text.trim()
  const persons = found.value?.filter(({ id }) => id !== without)
  const exact = persons?.filter(person => foldText(person.meta) === foldText(name)).length ?? 0
  const choices = (persons?.length ?? 0) + (onName && exact === 0 ? 1 : 0)
  const onKeyDown = usePicks(box, name === '' || persons !== undefined, exact === 1 || choices === 1)
  const pick = (picked: () => void) => {
    setText('')
    box.current?.querySelector('input')?.focus()
    picked()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of the field and the buttons
    <div class="stack tight" ref={box} onKeyDown={onKeyDown}>
      <InputField
        label={label}
        hint={hint}
        type="search"
        placeholder={texts.placeholder}
        spellcheck={false}
        value={text}
        onInput={event => setText(event.currentTarget.value)}
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
          {onName && exact === 0 && (
            <li>
              <button type="button" class="bare line pick" onClick={() => pick(() => onName(name))}>
                {texts.create(name)}
              </button>
            </li>
          )}
          {!onName && persons.length === 0 && <li class="hint">{texts.noPerson(name)}</li>}
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
    <PersonPicker
      label={label}
      onPick={({ id }) => onChosen(isMany ? [...chosen.filter(one => one !== id), id] : [id])}
    />
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
  const client = useClient()
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

/** The page Persons: the grouping of stored faces, suggestions of merges, and all persons with a face of each. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { inParallel } from '../../clients/typescript/src/enrolment.ts'
import type { PersonGrouping, PersonSummary } from '../../clients/typescript/src/index.ts'
import { ConfirmButton } from '../components/dialog.tsx'
import { Thumbnail } from '../components/face-boxes.tsx'
import { PageHead } from '../components/page.tsx'
import { Problem } from '../components/state.tsx'
import { useClient } from '../connection/service.ts'
import { useAllowed } from '../connection/session.ts'
import { useAction, useTask } from '../connection/task.ts'
import { formatDay } from '../format.ts'
import { SelectionBar, TileGrid, usePagedList } from '../grid/tile-grid.tsx'
import { lastSeen, nameOf } from '../person-names.ts'
import { hashOf } from '../route.ts'
import { TEXTS } from '../texts.ts'
import type { Merge } from './merge.ts'
import { MergeDialog, MergeNotice } from './merge-dialog.tsx'
import { ignorePerson } from './person-forms.tsx'
import { Suggestions } from './suggestions.tsx'

/** Persons of one merge: the kept one, and the most that the API takes. */
const MOST_MERGED = 101

/** Selected persons, and faces of each person, with requests in flight. */
const REQUESTS_IN_FLIGHT = 4

type Chosen = ReadonlyMap<number, PersonSummary>

const NO_CHOICE: Chosen = new Map()

interface Properties {
  /** The last merge of this visit. */
  merge: Merge | undefined
  onMerge: (merge: Merge) => void
}

export function PersonsPage({ merge, onMerge }: Properties) {
  const client = useClient()
  const mayMerge = useAllowed('manage')
  const [lists, setLists] = useState(0)
  const [chosen, setChosen] = useState(NO_CHOICE)
  const [asked, setAsked] = useState<readonly PersonSummary[]>()
  const [isUnnamed, setIsUnnamed] = useState(false)
  const [setAside, setSetAside] = useState(0)
  const changing = useAction()
  const list = usePagedList(
    (asked, options) => client.persons.summaries({ ...asked, named: isUnnamed ? false : undefined }, options),
    [client, lists, isUnnamed],
    // Hides persons to ignore.
    person => isUnnamed && person.silent === true,
  )

  const toggle = (person: PersonSummary) => {
    const next = new Map(chosen)
    if (!next.delete(person.id)) next.set(person.id, person)
    setChosen(next)
  }
  const reload = () => {
    setChosen(NO_CHOICE)
    setLists(number => number + 1)
  }
  const merged = (done: Merge) => {
    onMerge(done)
    reload()
  }
  // Persons whose change failed, or was not tried, stay selected.
  const forAll = (change: (id: number) => Promise<unknown>) =>
    void changing.run(async () => {
      const left = new Map(chosen)
      const changePerson = async ({ id }: PersonSummary) => {
        await change(id)
        left.delete(id)
      }
      await inParallel(chosen.values(), REQUESTS_IN_FLIGHT, changePerson).finally(() => {
        reload()
        setChosen(left)
        setSetAside(0)
      })
    })
  const dissolve = async (id: number) => {
    await inParallel(client.faces.list({ person_id: id }), REQUESTS_IN_FLIGHT, async face => {
      await client.faces.update(face.id, { not_person: id, review: 'set_aside' })
      setSetAside(count => count + 1)
    })
    // A camera may have added a face since.
    if ((await client.persons.summary(id)).count === 0) await client.persons.delete(id)
  }
  const barText = () => {
    if (setAside > 0) return TEXTS.persons.setAside(setAside)
    return chosen.size > MOST_MERGED
      ? TEXTS.persons.tooMany(MOST_MERGED)
      : TEXTS.persons.selected(chosen.size)
  }
  return (
    <>
      <PageHead title={TEXTS.persons.title} intro={TEXTS.persons.intro} />
      {mayMerge && <Grouping onChange={reload} />}
      {mayMerge && <Suggestions changes={lists} onMerge={setAsked} />}
      {merge && <MergeNotice merge={merge} onMerge={merged} />}
      <div class="row">
        <button
          type="button"
          class="quiet"
          aria-pressed={isUnnamed}
          onClick={() => {
            setChosen(NO_CHOICE)
            setIsUnnamed(!isUnnamed)
          }}
        >
          {TEXTS.persons.unnamed}
        </button>
      </div>
      <TileGrid
        list={list}
        label={TEXTS.persons.grid}
        count={TEXTS.persons.loaded}
        empty={isUnnamed ? TEXTS.persons.allNamed : TEXTS.persons.empty}
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
        <SelectionBar label={TEXTS.persons.selection} text={barText()} onClear={() => setChosen(NO_CHOICE)}>
          <Problem error={changing.problem} />
          <button
            type="button"
            disabled={changing.isRunning || chosen.size < 2 || chosen.size > MOST_MERGED}
            onClick={() => setAsked([...chosen.values()])}
          >
            {TEXTS.persons.merge}
          </button>
          <button
            type="button"
            disabled={changing.isRunning}
            onClick={() => forAll(id => ignorePerson(client, id, true))}
          >
            {TEXTS.persons.ignore}
          </button>
          {isUnnamed && (
            <ConfirmButton
              label={TEXTS.persons.noPerson}
              disabled={changing.isRunning}
              {...TEXTS.persons.noPersonQuestion(chosen.size)}
              run={async () => forAll(dissolve)}
            />
          )}
          <ConfirmButton
            label={TEXTS.selection.delete}
            disabled={changing.isRunning}
            {...TEXTS.persons.deleteQuestion(chosen.size)}
            run={async () => forAll(id => client.persons.delete(id))}
          />
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

/** A checkbox when the person can be selected, and a link with a face, the name, the number of faces and the last time. */
const PersonTile = ({ person, isSelected, onToggle }: TileProperties) => {
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
        <Thumbnail face={face} />
        <strong class="tile-meta" title={name}>
          {name}
        </strong>
        <span class="hint" title={latest && lastSeen(latest)}>
          {TEXTS.persons.faces(count)}
          {latest && ` · ${formatDay(latest.timestamp)}`}
        </span>
      </a>
      {latest?.friend && <span class="badge">{TEXTS.persons.friend}</span>}
    </div>
  )
}

/** Milliseconds between two looks at the progress. */
const POLL_MS = 1_000

const isActive = (grouping: PersonGrouping | undefined) =>
  grouping?.state === 'running' || grouping?.state === 'undoing'

/** `onChange` is called when a grouping, or its undo, has ended. */
export function Grouping({ onChange }: { onChange: () => void }) {
  const client = useClient()
  const task = useTask(
    signal => client.persons.grouping({ signal }),
    [],
    [],
    value => (isActive(value) ? POLL_MS : undefined),
  )
  const action = useAction()
  const [isOpen, setIsOpen] = useState(false)
  const { value: grouping, reload } = task
  const wasActive = useRef(false)
  useEffect(() => {
    if (wasActive.current && !isActive(grouping)) onChange()
    wasActive.current = isActive(grouping)
    if (isActive(grouping) || grouping?.state === 'stopped') setIsOpen(true)
  }, [grouping])
  const act = async (name: 'start' | 'stop' | 'undo') => {
    await client.persons.group(name)
    // Few faces are done before the next answer.
    wasActive.current = true
    reload()
  }
  const texts = TEXTS.grouping
  if (!grouping) return <Problem error={task.error} isLoad />
  const { state, examined, faces, assigned } = grouping
  const button = (name: 'start' | 'stop', label: string, isPrimary = false) => (
    <button
      type="button"
      class={isPrimary ? 'primary' : ''}
      disabled={action.isRunning}
      onClick={() => void action.run(() => act(name))}
    >
      {label}
    </button>
  )
  return (
    <details class="card" open={isOpen} onToggle={event => setIsOpen(event.currentTarget.open)}>
      <summary>{texts.title}</summary>
      <div class="stack">
        <p class="hint">{texts.intro}</p>
        {state === 'running' && <progress value={examined} max={faces} aria-label={texts.title} />}
        {state !== 'none' && <p role="status">{texts.states[state](grouping)}</p>}
        <Problem error={action.problem} />
        <div class="row">
          {state === 'running' && button('stop', texts.stop)}
          {!isActive(grouping) &&
            button('start', texts.start[state === 'stopped' ? 'stopped' : 'none'], true)}
          {assigned > 0 && state !== 'undoing' && (
            <ConfirmButton
              label={texts.undo}
              class="quiet"
              {...texts.undoQuestion(assigned)}
              run={() => act('undo')}
            />
          )}
        </div>
      </div>
    </details>
  )
}

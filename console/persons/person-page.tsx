/** The page of a person: name, faces to split off, merge, sightings by camera, deletion. */
import { useState } from 'preact/hooks'
import type { PersonSummary } from '../../clients/typescript/src/index.ts'
import { Problem } from '../components/problem.tsx'
import { Status } from '../components/status.tsx'
import { Thumbnail } from '../components/thumbnail.tsx'
import { useService } from '../connection/context.ts'
import { useTask } from '../connection/task.ts'
import { useAllowed } from '../connection/token.ts'
import { formatDate } from '../format.ts'
import { hashOf } from '../route.ts'
import { TEXTS } from '../texts.ts'
import { DeletePerson } from './delete-person.tsx'
import type { Merge } from './merge.ts'
import { MergeInto } from './merge-into.tsx'
import { MergeNotice } from './merge-notice.tsx'
import { nameOf, numberOf } from './names.ts'
import { PersonFaces } from './person-faces.tsx'
import { Rename } from './rename.tsx'
import { Timeline } from './timeline.tsx'

const VIEWS = ['faces', 'sightings'] as const

interface Properties {
  id: number
  /** The last merge of this visit. */
  merge: Merge | undefined
  onMerge: (merge: Merge) => void
}

export function PersonPage({ id, merge, onMerge }: Properties) {
  const { client } = useService()
  const mayRename = useAllowed('change')
  const mayAdminister = useAllowed('administer')
  const [changes, setChanges] = useState(0)
  const [view, setView] = useState<(typeof VIEWS)[number]>('faces')
  const [created, setCreated] = useState<PersonSummary>()
  const [last, setLast] = useState<PersonSummary>()
  const task = useTask(signal => client.persons.summary(id, { signal }), [id, changes])
  const person = task.state === 'done' ? task.value : last
  if (person && person !== last) setLast(person)
  const onChanged = () => setChanges(count => count + 1)
  const onMerged = (merge: Merge) => {
    onMerge(merge)
    if (merge.kept.id === id) onChanged()
  }
  const onSplit = (person: PersonSummary) => {
    setCreated(person)
    onChanged()
  }
  return (
    <>
      <header class="page-head">
        <a class="back" href={hashOf({ page: 'persons' })}>
          {TEXTS.person.back}
        </a>
        {person ? <PersonHead person={person} /> : <h1>{TEXTS.persons.numbered(id)}</h1>}
      </header>
      {task.state === 'failed' && <Problem error={task.error} onRetry={task.retry} />}
      {!person && task.state !== 'failed' && <Status text={TEXTS.loading} />}
      {person && (
        <>
          {(mayRename || mayAdminister) && (
            <div class="columns even">
              {mayRename && <Rename person={person} onChanged={onChanged} />}
              {mayAdminister && <MergeInto person={person} onMerged={onMerged} />}
            </div>
          )}
          {merge?.kept.id === id && <MergeNotice merge={merge} onMerge={onMerged} />}
          {created && (
            <p role="status">
              {TEXTS.person.splitDone(created.count)}{' '}
              <a href={hashOf({ page: 'person', id: created.id })}>{nameOf(created)}</a>
            </p>
          )}
          <div class="views">
            {VIEWS.map(name => (
              <button
                key={name}
                type="button"
                class="tab"
                aria-pressed={view === name}
                onClick={() => setView(name)}
              >
                {TEXTS.person.views[name]}
              </button>
            ))}
            {mayAdminister && <DeletePerson person={person} />}
          </div>
          {view === 'faces' ? (
            <PersonFaces key={changes} person={person} onSplit={onSplit} />
          ) : (
            <Timeline key={changes} person={id} />
          )}
        </>
      )}
    </>
  )
}

function PersonHead({ person }: { person: PersonSummary }) {
  const { count, face, latest } = person
  return (
    <div class="person-head">
      <Thumbnail face={face ?? { thumbnail: '' }} />
      <div>
        <h1>{nameOf(person)}</h1>
        <p class="person-facts">
          {numberOf(person).map(number => (
            <span key={number}>{number}</span>
          ))}
          <span>{TEXTS.persons.faces(count)}</span>
          {latest && <span>{TEXTS.persons.lastSeen(formatDate(latest.timestamp))}</span>}
          {latest?.friend && (
            <span class="badge" title={TEXTS.persons.friendHint}>
              {TEXTS.persons.friend}
            </span>
          )}
        </p>
      </div>
    </div>
  )
}

/** The page of a person: name, photos to add, faces to split off, merge, sightings by camera, deletion. */
import { useEffect, useState } from 'preact/hooks'
import type { PersonSummary } from '../../clients/typescript/src/index.ts'
import { TellMe } from '../alerts/tell-me.tsx'
import { ConfirmButton } from '../components/dialog.tsx'
import { FileButton } from '../components/drop-zone.tsx'
import { Thumbnail } from '../components/face-boxes.tsx'
import { InputField } from '../components/fields.tsx'
import { PageHead } from '../components/page.tsx'
import { Loaded, Problem } from '../components/state.tsx'
import { WebcamButton } from '../components/webcam.tsx'
import { leaveFor, useClient, useService } from '../connection/service.ts'
import { useAllowed } from '../connection/session.ts'
import { useAction, useTask } from '../connection/task.ts'
import { FaceGrid } from '../grid/face-grid.tsx'
import { SelectionBar, usePagedList } from '../grid/tile-grid.tsx'
import { lastSeen, nameOf, numberOf } from '../person-names.ts'
import { acceptedPhoto } from '../photos/jpeg.ts'
import { hashOf } from '../route.ts'
import { TEXTS } from '../texts.ts'
import { type Merge, MOST_SPLIT } from './merge.ts'
import { MergeNotice } from './merge-dialog.tsx'
import { CopyButton } from './person-copy.tsx'
import { Ignore, MergeInto, Rename } from './person-forms.tsx'
import { Timeline } from './timeline.tsx'

const VIEWS = ['faces', 'sightings'] as const

interface Properties {
  id: number
  /** The last merge of this visit. */
  merge: Merge | undefined
  onMerge: (merge: Merge) => void
}

export function PersonPage({ id, merge, onMerge }: Properties) {
  const service = useService()
  const { client } = service
  const mayRename = useAllowed('change')
  const mayPost = useAllowed('post')
  const mayAdminister = useAllowed('manage')
  const [changes, setChanges] = useState(0)
  const [view, setView] = useState<(typeof VIEWS)[number]>('faces')
  const [created, setCreated] = useState<PersonSummary>()
  const task = useTask(signal => client.persons.summary(id, { merged: true, signal }), [id], [changes])
  const person = task.value
  const present = person?.id ?? id
  useEffect(() => {
    if (present !== id) location.replace(hashOf({ page: 'person', id: present }))
  }, [present])
  const onChanged = () => setChanges(count => count + 1)
  const onMerged = (merge: Merge) => {
    onMerge(merge)
    if (merge.kept.id === id) onChanged()
  }
  const onSplit = (person: PersonSummary) => {
    setCreated(person)
    onChanged()
  }
  const remove = async () => {
    await client.persons.delete(id)
    leaveFor(service, { page: 'persons' }, TEXTS.person.deleted(nameOf(person!)))
  }
  return (
    <>
      <PageHead back={{ route: { page: 'persons' }, text: TEXTS.person.back }}>
        {person ? <PersonHead person={person} /> : <h1>{TEXTS.persons.numbered(id)}</h1>}
      </PageHead>
      <Loaded task={task} />
      {person?.id === id && (
        <>
          {(mayRename || mayAdminister) && (
            <div class="cards wide few">
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
          {mayAdminister && <Ignore person={person} onChanged={onChanged} />}
          {mayPost && <AddPhotos person={person} onAdded={onChanged} />}
          {!person.silent && <TellMe id={id} name={nameOf(person)} />}
          <div class="row">
            {VIEWS.map(name => (
              <button
                key={name}
                type="button"
                class="quiet"
                aria-pressed={view === name}
                onClick={() => setView(name)}
              >
                {TEXTS.person.views[name]}
              </button>
            ))}
            <CopyButton person={person} />
            {mayAdminister && (
              <ConfirmButton
                label={TEXTS.person.delete}
                class="danger push"
                {...TEXTS.person.deleteQuestion(nameOf(person), person.count)}
                run={remove}
              />
            )}
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
    <div class="line person-head">
      <Thumbnail face={face} />
      <div>
        <h1>{nameOf(person)}</h1>
        <p class="row person-facts">
          {numberOf(person).map(number => (
            <span key={number}>{number}</span>
          ))}
          <span>{TEXTS.persons.faces(count)}</span>
          {latest && <span>{lastSeen(latest)}</span>}
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

interface AddPhotosProperties {
  person: PersonSummary
  /** Called after the last photo. */
  onAdded: () => void
}

/** The biggest face of each photo becomes one of the person, in the galleries of the face that represents the person. */
function AddPhotos({ person: { id, face }, onAdded }: AddPhotosProperties) {
  const client = useClient()
  const action = useAction()
  const [added, setAdded] = useState(0)
  const add = (photos: readonly File[]) =>
    void action.run(async () => {
      setAdded(0)
      const galleries = face?.galleries.filter(name => name !== 'default') ?? []
      const parameters = { person_id: String(id), galleries, mf_selector: 'biggest' } as const
      try {
        for (const [i, photo] of photos.entries()) {
          await client.faces.enrol(await acceptedPhoto(photo), parameters)
          setAdded(i + 1)
        }
      } finally {
        onAdded()
      }
    })
  return (
    <div class="row">
      <FileButton
        label={TEXTS.person.addPhotos}
        isMultiple
        onFiles={found => add(found.map(({ file }) => file))}
      />
      <WebcamButton label={TEXTS.portrait.take} onPhoto={photo => add([photo])} />
      <span role="status">{action.isRunning ? TEXTS.saving : added > 0 && TEXTS.person.added(added)}</span>
      <Problem error={action.problem} />
    </div>
  )
}

interface PersonFacesProperties {
  person: PersonSummary
  onSplit: (created: PersonSummary) => void
}

function PersonFaces({ person, onSplit }: PersonFacesProperties) {
  const client = useClient()
  const maySplit = useAllowed('manage')
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set())
  const list = usePagedList(
    (asked, options) => client.faces.list({ person_id: person.id, ...asked }, options),
    [client, person.id],
  )
  const { size } = selected
  const split = async (fields: FormData) => {
    const meta = String(fields.get('meta')) || undefined
    onSplit(await client.persons.split(person.id, [...selected], { meta }))
  }
  const texts = TEXTS.person
  return (
    <>
      <FaceGrid
        list={list}
        selected={selected}
        onSelected={maySplit ? setSelected : undefined}
        empty={texts.noFaces}
      />
      {size > 0 && (
        <SelectionBar
          label={TEXTS.selection.label}
          text={TEXTS.selection.count(size)}
          onClear={() => setSelected(new Set())}
        >
          <ConfirmButton
            label={texts.split}
            disabled={size >= person.count || size > MOST_SPLIT}
            {...texts.splitQuestion(size)}
            run={split}
          >
            <InputField label={texts.splitMeta} name="meta" maxLength={4096} />
          </ConfirmButton>
        </SelectionBar>
      )}
    </>
  )
}

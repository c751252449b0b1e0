/** The check of a gallery: faces and persons to look at, with buttons, and how well searches work. */
import { useState } from 'preact/hooks'
import { type Face, type Finding, MienError, type PersonSummary } from '../../clients/typescript/src/index.ts'
import { ConfirmButton } from '../components/dialog.tsx'
import { Confidence } from '../components/face-boxes.tsx'
import { PageHead } from '../components/page.tsx'
import { Problem, Searched } from '../components/state.tsx'
import { titleOfGallery, useGalleries } from '../connection/lists.ts'
import { useClient } from '../connection/service.ts'
import { useAllowed } from '../connection/session.ts'
import { stepOf, useAction, useSearch } from '../connection/task.ts'
import { OpenFace } from '../faces/face-dialog.tsx'
import { MergeDialog } from '../persons/merge-dialog.tsx'
import { hashOf } from '../route.ts'
import { TEXTS } from '../texts.ts'

/** Findings that end a step of the check, and requests that end it without them. */
const ENOUGH_FINDINGS = 12
const MOST_REQUESTS = 20

/** Faces of a finding that are shown. */
const SHOWN_FACES = 3

export function CheckPage({ name }: { name: string }) {
  const client = useClient()
  const search = useSearch(
    signal => {
      const pages = client.galleries.check(name, { signal }).pages()
      return () => stepOf(pages, ENOUGH_FINDINGS, MOST_REQUESTS)
    },
    [client, name],
  )
  const texts = TEXTS.check
  return (
    <>
      <PageHead
        title={texts.title(titleOfGallery(useGalleries().value, name))}
        intro={texts.intro}
        back={{ route: { page: 'gallery', name }, text: texts.back }}
      />
      <section class="card stack">
        <p class="hint">{texts.setAsideHint}</p>
        <ul class="cards">
          {search.found.map(finding => (
            <Item key={`${finding.kind} ${finding.faces.map(({ id }) => id)}`} finding={finding} />
          ))}
        </ul>
        <Searched search={search} isEmpty={search.found.length === 0} texts={texts} />
      </section>
    </>
  )
}

type Review = 'set_aside' | 'confirmed' | 'none' | 'merged' | 'deleted'

function Item({ finding }: { finding: Finding }) {
  const { kind, confidence, faces, persons } = finding
  const client = useClient()
  const mayChange = useAllowed('change')
  const mayMerge = useAllowed('manage')
  const [merging, setMerging] = useState<PersonSummary[]>()
  const [review, setReview] = useState<Review>('none')
  const changing = useAction()
  const texts = TEXTS.check
  // Of two pictures that are the same, one stays in use.
  const aside = kind === 'duplicate' ? faces.slice(0, 1) : faces
  const change = (next: 'set_aside' | 'confirmed' | 'none', changed: readonly Face[]) =>
    changing.run(async () => {
      for (const { id } of changed) await client.faces.update(id, { review: next })
      setReview(next)
    })
  const remove = async () => {
    for (const { id } of aside) await client.faces.delete(id).catch(ignoreNotFound)
    setReview('deleted')
  }
  const alike =
    kind === 'alike' ? persons.map(({ person_id }) => person_id).filter(id => typeof id === 'number') : []
  const merge = () =>
    changing.run(async () => setMerging(await Promise.all(alike.map(id => client.persons.summary(id)))))
  const button = (
    text: string,
    next: Parameters<typeof change>[0],
    changed: readonly Face[] = faces,
    look = 'quiet',
  ) => (
    <button
      type="button"
      class={look}
      disabled={changing.isRunning}
      onClick={() => void change(next, changed)}
    >
      {text}
    </button>
  )
  const inQuestion = faces.filter(({ id }) => persons.every(({ face }) => face.id !== id))
  return (
    <li class="card stack tight suggestion" aria-label={texts.kinds[kind]}>
      <h2>{texts.kinds[kind]}</h2>
      <div class="suggested">
        {inQuestion.slice(0, SHOWN_FACES).map(face => (
          <span key={face.id}>
            <OpenFace face={face} label={texts.photo} onDeleted={() => setReview('deleted')} />
            <small>{texts.photo}</small>
          </span>
        ))}
        {persons.map(person => (
          <Portrait key={person.face.id} person={person} onDeleted={() => setReview('deleted')} />
        ))}
      </div>
      {inQuestion.length > SHOWN_FACES && (
        <p class="hint">{texts.moreFaces(inQuestion.length - SHOWN_FACES)}</p>
      )}
      {confidence !== undefined && <Confidence value={confidence} />}
      <Problem error={changing.problem} />
      {mayChange && review === 'none' && (
        <div class="row">
          {kind !== 'alike' && button(texts.setAside, 'set_aside', aside, '')}
          {button(texts.right[kind], 'confirmed')}
          {kind !== 'alike' && (
            <ConfirmButton
              label={texts.delete}
              {...TEXTS.selection.deleteQuestion(aside.length)}
              run={remove}
            />
          )}
          {mayMerge && alike.length === 2 && (
            <button type="button" disabled={changing.isRunning} onClick={() => void merge()}>
              {TEXTS.persons.merge}
            </button>
          )}
        </div>
      )}
      {review !== 'none' && (
        <div class="row">
          <span role="status">{texts.states[review]}</span>
          {(review === 'set_aside' || review === 'confirmed') && button(texts.undo, 'none')}
        </div>
      )}
      {merging && (
        <MergeDialog
          persons={merging}
          onMerged={() => setReview('merged')}
          onClose={() => setMerging(undefined)}
        />
      )}
    </li>
  )
}

/** A repetition continues a deletion that failed halfway. */
function ignoreNotFound(error: unknown) {
  if (!(error instanceof MienError && error.code === 'NOT_FOUND')) throw error
}

interface PortraitProperties {
  person: Finding['persons'][number]
  onDeleted: () => void
}

function Portrait({ person: { person_id, meta, face }, onDeleted }: PortraitProperties) {
  const isPerson = typeof person_id === 'number'
  const name = meta || (isPerson ? TEXTS.persons.numbered(person_id) : (person_id ?? TEXTS.check.noName))
  return (
    <span>
      <OpenFace face={face} label={TEXTS.check.photo} onDeleted={onDeleted} />
      <strong class="tile-meta">
        {isPerson ? <a href={hashOf({ page: 'person', id: person_id })}>{name}</a> : name}
      </strong>
    </span>
  )
}

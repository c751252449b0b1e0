/** The check of a gallery: faces and persons to look at, with buttons, and how well searches work. */
import { useState } from 'preact/hooks'
import type { Face, Finding } from '../../clients/typescript/src/index.ts'
import { Confidence, Thumbnail } from '../components/faces.tsx'
import { PageHead } from '../components/page.tsx'
import { Problem, Searched } from '../components/state.tsx'
import { titleOfGallery, useGalleries } from '../connection/lists.ts'
import { useService } from '../connection/service.ts'
import { useAllowed } from '../connection/session.ts'
import { stepOf, useAction, useSearch } from '../connection/task.ts'
import { hashOf } from '../route.ts'
import { TEXTS } from '../texts.ts'

/** Findings that end a step of the check, and requests that end it without them. */
const ENOUGH = 12
const MOST_REQUESTS = 20

/** Faces of a finding that are shown. */
const SHOWN_FACES = 3

export function CheckPage({ name }: { name: string }) {
  const { client } = useService()
  const search = useSearch(
    signal => {
      const pages = client.galleries.check(name, { signal }).pages()
      return () => stepOf(pages, ENOUGH, MOST_REQUESTS)
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

type Review = 'set_aside' | 'confirmed' | 'none'

function Item({ finding }: { finding: Finding }) {
  const { kind, confidence, faces, persons } = finding
  const { client } = useService()
  const mayChange = useAllowed('change')
  const [review, setReview] = useState<Review>('none')
  const changing = useAction()
  const texts = TEXTS.check
  // Of two pictures that are the same, one stays in use.
  const aside = kind === 'duplicate' ? faces.slice(0, 1) : faces
  const change = (next: Review, changed: readonly Face[]) =>
    changing.run(async () => {
      for (const { id } of changed) await client.faces.update(id, { review: next })
      setReview(next)
    })
  const button = (text: string, next: Review, changed: readonly Face[] = faces, look = 'quiet') => (
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
            <Thumbnail face={face} label={texts.photo} />
          </span>
        ))}
        {persons.map(person => (
          <Portrait key={person.face.id} person={person} />
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
          {button(texts.right, 'confirmed')}
        </div>
      )}
      {review !== 'none' && (
        <div class="row">
          <span role="status">{texts.states[review]}</span>
          {button(texts.undo, 'none')}
        </div>
      )}
    </li>
  )
}

function Portrait({ person: { person_id, meta, face } }: { person: Finding['persons'][number] }) {
  const isPerson = typeof person_id === 'number'
  const name = meta || (isPerson ? TEXTS.persons.numbered(person_id) : (person_id ?? TEXTS.check.noName))
  const shown = (
    <>
      <Thumbnail face={face} />
      <strong class="tile-meta">{name}</strong>
    </>
  )
  return isPerson ? <a href={hashOf({ page: 'person', id: person_id })}>{shown}</a> : <span>{shown}</span>
}

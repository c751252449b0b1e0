/** The search of the header: people, galleries, cameras and pages by a part of their names. The key `/` leads to it. */
import { useEffect, useRef, useState } from 'preact/hooks'
import type { MetaEntry, PersonSummary } from '../../clients/typescript/src/index.ts'
import { PersonLine, useNamedPersons, useTyped } from '../components/person-picker.tsx'
import { usePicks } from '../components/picks.ts'
import { Problem } from '../components/state.tsx'
import { galleryTitle, useCameras, useGalleries } from '../connection/lists.ts'
import { useClient } from '../connection/service.ts'
import { useAllowed } from '../connection/session.ts'
import { type Task, useTask } from '../connection/task.ts'
import { foldText } from '../format.ts'
import { queryOf } from '../galleries/conditions.ts'
import { GUIDE, idOfHeading, loadDocument, sectionsWith } from '../help/documents.ts'
import { nameOf } from '../person-names.ts'
import { hashOf, type Route, SECTIONS, SETTINGS } from '../route.ts'
import { TEXTS } from '../texts.ts'

/** Results of one kind that are shown. */
const MOST_RESULTS = 6

interface Result {
  route: Route
  name: string
}

const matching = (results: readonly Result[], text: string) =>
  results.filter(({ name }) => foldText(name).includes(foldText(text))).slice(0, MOST_RESULTS)

export function SiteSearch({ pages }: { pages: readonly Result[] }) {
  const [text, setText] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const box = useRef<HTMLElement>(null)
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof Element && event.target.matches('input, select, textarea')
      if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
      event.preventDefault()
      field.current?.focus()
    }
    const leave = ({ target }: Event) => {
      if (target instanceof Node && !box.current?.contains(target)) setText('')
    }
    addEventListener('keydown', focus)
    addEventListener('click', leave)
    return () => {
      removeEventListener('keydown', focus)
      removeEventListener('click', leave)
    }
  }, [])
  const close = () => setText('')
  const client = useClient()
  const name = text.trim()
  const persons = useNamedPersons(name)
  const metas = useTyped(name, (name, signal) =>
    client.metas.list({ name, pageSize: MOST_RESULTS }, { signal }).toArray(MOST_RESULTS),
  )
  const isLoaded =
    name === '' || ![persons, metas].some(({ value, error }) => value === undefined && error === undefined)
  const onKeyDown = usePicks(box, isLoaded)
  return (
    <search
      ref={box}
      class="site-search"
      onKeyDown={event => {
        if (event.key !== 'Escape') return onKeyDown(event)
        close()
        field.current?.focus()
      }}
    >
      <input
        ref={field}
        type="search"
        aria-label={TEXTS.search.label}
        aria-keyshortcuts="/"
        placeholder={TEXTS.search.placeholder}
        autocomplete="off"
        spellcheck={false}
        value={text}
        onInput={event => setText(event.currentTarget.value)}
      />
      {name !== '' && <Results text={name} {...{ persons, metas, pages }} onClose={close} />}
    </search>
  )
}

interface ResultsProperties {
  text: string
  persons: Task<PersonSummary[]>
  metas: Task<MetaEntry[]>
  pages: readonly Result[]
  onClose: () => void
}

function Results({ text, persons, metas, pages, onClose }: ResultsProperties) {
  const texts = TEXTS.search
  const mayAdminister = useAllowed('administer')
  const galleryList = useGalleries()
  const cameraList = useCameras()
  const guide = useTask(signal => loadDocument(GUIDE, signal), []).value ?? ''
  const helpful = sectionsWith(text, guide).slice(0, MOST_RESULTS)
  const galleries = (galleryList.value ?? []).map(
    (gallery): Result => ({ route: { page: 'gallery', name: gallery.name }, name: galleryTitle(gallery) }),
  )
  const cameras = (cameraList.value ?? []).map(
    ({ id, meta = '' }): Result => ({ route: { page: 'camera', id }, name: meta }),
  )
  const sections: Result[] = [
    ...SECTIONS.map(section => ({
      route: { page: 'service', section } as const,
      name: TEXTS.operator.sections[section],
    })),
    ...SETTINGS.map(section => ({
      route: { page: 'settings', section } as const,
      name: TEXTS.settings.sections[section],
    })),
  ]
  const named = new Set(persons.value?.map(person => foldText(nameOf(person))))
  const names = (metas.value ?? [])
    .filter(({ meta }) => !named.has(foldText(meta)))
    .map(
      ({ meta }): Result => ({
        route: { page: 'gallery', name: 'default', query: queryOf({ meta }) },
        name: meta,
      }),
    )
  const groups: [string, Result[]][] = [
    [texts.names, names],
    [texts.galleries, matching(galleries, text)],
    [texts.cameras, matching(cameras, text)],
    [texts.pages, matching([...pages, ...(mayAdminister ? sections : [])], text)],
    [
      TEXTS.help.guide,
      helpful.map(name => ({ route: { page: 'help', name: GUIDE, section: idOfHeading(name) }, name })),
    ],
  ]
  const isEmpty =
    persons.value?.length === 0 && metas.value && groups.every(([, results]) => results.length === 0)
  return (
    <section class="card stack search-results" aria-label={texts.results}>
      {persons.value && persons.value.length > 0 && (
        <Group title={texts.persons}>
          {persons.value.map(person => (
            <li key={person.id}>
              <a
                class="line pick"
                href={hashOf({ page: 'person', id: person.id })}
                title={nameOf(person)}
                onClick={onClose}
              >
                <PersonLine person={person} />
              </a>
            </li>
          ))}
        </Group>
      )}
      {groups.map(
        ([title, results]) =>
          results.length > 0 && (
            <Group key={title} title={title}>
              {results.map(({ route, name }) => (
                <li key={hashOf(route)}>
                  <a class="line pick" href={hashOf(route)} onClick={onClose}>
                    {name}
                  </a>
                </li>
              ))}
            </Group>
          ),
      )}
      {[persons, metas, galleryList, cameraList].map(({ error }, i) => (
        <Problem key={i} error={error} isLoad />
      ))}
      <p class="hint" role="status">
        {persons.isRunning || metas.isRunning ? TEXTS.loading : isEmpty && texts.nothing(text)}
      </p>
    </section>
  )
}

const Group = ({ title, children }: { title: string; children: preact.ComponentChildren }) => (
  <div>
    <h2 class="hint">{title}</h2>
    <ul class="small-faces">{children}</ul>
  </div>
)

/** The page Galleries: all galleries with their newest faces, and a form for another one. */
import { useId, useState } from 'preact/hooks'
import type { GalleryStatistics } from '../../clients/typescript/src/index.ts'
import { Problem } from '../components/problem.tsx'
import { Status } from '../components/status.tsx'
import { Thumbnail } from '../components/thumbnail.tsx'
import { useService } from '../connection/context.ts'
import { useTask } from '../connection/task.ts'
import { hashOf } from '../route.ts'
import { TEXTS } from '../texts.ts'
import { Counts } from './gallery-state.tsx'

/** Faces that the card of a gallery shows. */
const SHOWN_FACES = 4

/** Galleries whose cards show faces: each costs a request. */
const MOST_WITH_FACES = 24

export function GalleriesPage() {
  const { client } = useService()
  const [changes, setChanges] = useState(0)
  const list = useTask(signal => client.galleries.statistics({ signal }).toArray(), [changes])
  return (
    <>
      <header class="page-head">
        <h1>{TEXTS.galleries.title}</h1>
        <p>{TEXTS.galleries.intro}</p>
      </header>
      {list.state === 'running' && changes === 0 && <Status text={TEXTS.loading} />}
      {list.state === 'failed' && <Problem error={list.error} onRetry={list.retry} />}
      <Galleries galleries={list.state === 'done' ? list.value : undefined} />
      <CreateGallery onCreated={() => setChanges(changes + 1)} />
    </>
  )
}

/** Keeps the last galleries while the list loads again. */
function Galleries({ galleries }: { galleries: GalleryStatistics[] | undefined }) {
  const [last, setLast] = useState<GalleryStatistics[]>([])
  if (galleries && galleries !== last) setLast(galleries)
  return (
    <ul class="galleries">
      {(galleries ?? last).map((gallery, i) => (
        <li key={gallery.name}>
          <a class="card gallery-card" href={hashOf({ page: 'gallery', name: gallery.name })}>
            {i < MOST_WITH_FACES && <NewestFaces gallery={gallery.name} />}
            <span class="gallery-name">{gallery.name}</span>
            {gallery.name === 'default' && <span class="hint">{TEXTS.galleries.all}</span>}
            <Counts gallery={gallery} />
          </a>
        </li>
      ))}
    </ul>
  )
}

function NewestFaces({ gallery }: { gallery: string }) {
  const { client } = useService()
  const newest = useTask(
    signal => client.faces.list({ gallery, pageSize: SHOWN_FACES }, { signal }).toArray(SHOWN_FACES),
    [gallery],
  )
  const faces = newest.state === 'done' ? newest.value : []
  return (
    <span class="newest">
      {faces.map(face => (
        <Thumbnail key={face.id} face={face} />
      ))}
      {newest.state === 'done' && faces.length === 0 && <span class="hint">{TEXTS.galleries.empty}</span>}
    </span>
  )
}

function CreateGallery({ onCreated }: { onCreated: () => void }) {
  const { client } = useService()
  const id = useId()
  const [problem, setProblem] = useState<unknown>()
  const [created, setCreated] = useState<string>()
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const form = event.currentTarget as HTMLFormElement
    const name = String(new FormData(form).get('name')).trim()
    setProblem(undefined)
    setCreated(undefined)
    if (!/^[\w-]{1,48}$/.test(name)) return setProblem(`${TEXTS.galleries.nameHint}.`)
    try {
      await client.galleries.create(name)
      form.reset()
      setCreated(name)
      onCreated()
    } catch (error) {
      setProblem(error)
    }
  }
  return (
    <form class="card inline-form" onSubmit={event => void submit(event)}>
      <h2>{TEXTS.galleries.create}</h2>
      <div class="field">
        <label for={id}>{TEXTS.galleries.name}</label>
        <input id={id} name="name" autocomplete="off" spellcheck={false} aria-describedby={`${id}-hint`} />
        <button type="submit">{TEXTS.galleries.create}</button>
      </div>
      <p class="hint" id={`${id}-hint`}>
        {TEXTS.galleries.nameHint}
      </p>
      {problem !== undefined && <Problem error={problem} />}
      {created !== undefined && <p role="status">{TEXTS.galleries.created(created)}</p>}
    </form>
  )
}

/** A copy of the data of a person: one page of HTML with facts and pictures, for requests under article 15 of the GDPR. */
import type { MienClient, PersonSummary } from '../../clients/typescript/src/index.ts'
import { factsOf } from '../components/face-facts.ts'
import { Problem } from '../components/state.tsx'
import { titleOfGallery } from '../connection/lists.ts'
import { sameOrigin, useService } from '../connection/service.ts'
import { useAction } from '../connection/task.ts'
import { nameOf } from '../person-names.ts'
import { TEXTS } from '../texts.ts'

export function CopyButton({ person }: { person: PersonSummary }) {
  const { client, url } = useService()
  const action = useAction()
  const texts = TEXTS.person
  return (
    <>
      <button
        type="button"
        disabled={action.isRunning}
        onClick={() =>
          void action.run(async () => save(await copyOf(client, url, person), `${nameOf(person)}.html`))
        }
      >
        {action.isRunning ? texts.copying : texts.copy}
      </button>
      <Problem error={action.problem} />
    </>
  )
}

/** A document with all faces of a person, newest first. `url` is where the pictures are. */
async function copyOf(client: MienClient, url: string, person: PersonSummary): Promise<Document> {
  const copy = document.implementation.createHTMLDocument(nameOf(person))
  const add = (tag: string, text: string) => {
    const element = copy.createElement(tag)
    element.textContent = text
    copy.body.append(element)
    return element
  }
  const encoding = copy.createElement('meta')
  encoding.setAttribute('charset', 'utf-8')
  copy.head.prepend(encoding)
  add('h1', nameOf(person))
  add('p', TEXTS.person.copyOf(person.id, person.count, new Date().toISOString()))
  const cameras = await client.cameras.list().toArray()
  const galleries = await client.galleries.named()
  for await (const face of client.faces.list({ person_id: person.id })) {
    add('hr', '')
    for (const link of [face.thumbnail, face.snapshot]) {
      const picture = link && (await dataUrlOf(url, link))
      if (picture) add('img', '').setAttribute('src', picture)
    }
    const clip = face.clip && (await dataUrlOf(url, face.clip))
    if (clip) {
      const video = add('video', '')
      video.setAttribute('controls', '')
      video.setAttribute('src', clip)
    }
    for (const [name, value] of factsOf(face, cameras, name => titleOfGallery(galleries, name)))
      if (value) add('p', `${name}: ${value}`)
  }
  return copy
}

/** A picture or a clip as a data URL. Undefined when the service does not keep it. */
async function dataUrlOf(url: string, signed: string): Promise<string | undefined> {
  const link = sameOrigin(url, signed)
  const response = link === '' ? undefined : await fetch(link)
  if (!response?.ok) return undefined
  const reader = new FileReader()
  const read = new Promise<string>((resolve, reject) => {
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
  })
  reader.readAsDataURL(await response.blob())
  return read
}

function save(copy: Document, name: string) {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(
    new Blob(['<!doctype html>', copy.documentElement.outerHTML], { type: 'text/html' }),
  )
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}

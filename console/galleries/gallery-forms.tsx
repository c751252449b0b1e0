/** Forms that name a gallery: a new gallery, and an existing one. */
import { useState } from 'preact/hooks'
import { InputField, NOT_EMPTY } from '../components/fields.tsx'
import { SaveFormEnd, useSaveForm } from '../components/save-form.tsx'
import { useClient } from '../connection/service.ts'
import { TEXTS } from '../texts.ts'
import { galleryKey } from './gallery-key.ts'

/** Characters of a display name. */
const LONGEST_DISPLAY_NAME = 100

/** Asks for a name in plain words. The name in the API follows it until the visitor changes it. */
export function CreateGallery({ onCreated }: { onCreated: () => void }) {
  const client = useClient()
  const texts = TEXTS.galleries
  const [title, setTitle] = useState('')
  const [typed, setTyped] = useState<string>()
  const [created, setCreated] = useState('')
  const key = typed ?? galleryKey(title)
  const { action, attributes } = useSaveForm({
    read: () =>
      /^[\w-]{1,48}$/.test(key) ? { key, title: title.trim() || key } : `${texts.key}: ${texts.keyHint}.`,
    async save(chosen) {
      await client.galleries.create(
        chosen.key,
        chosen.title === chosen.key ? {} : { display_name: chosen.title },
      )
      setCreated(chosen.title)
      setTitle('')
      setTyped(undefined)
      onCreated()
    },
  })
  return (
    <form class="card stack tight inline-form" {...attributes}>
      <h2>{texts.create}</h2>
      <InputField
        label={texts.name}
        hint={texts.nameHint}
        maxLength={LONGEST_DISPLAY_NAME}
        value={title}
        onInput={event => setTitle(event.currentTarget.value)}
        {...NOT_EMPTY}
      />
      <details>
        <summary>{TEXTS.details}</summary>
        <InputField
          label={texts.key}
          hint={texts.keyHint}
          spellcheck={false}
          value={key}
          onInput={event => setTyped(event.currentTarget.value)}
        />
      </details>
      <SaveFormEnd action={action} texts={{ save: texts.create, saved: texts.created(created) }} />
    </form>
  )
}

interface RenameProperties {
  gallery: string
  /** What pages call it now. */
  title: string
  onRenamed: () => void
}

export function RenameGallery({ gallery, title, onRenamed }: RenameProperties) {
  const client = useClient()
  const texts = TEXTS.galleries
  const { action, attributes } = useSaveForm({
    read: fields => ({ display_name: String(fields.get('title')).trim() }),
    async save({ display_name }) {
      await client.galleries.update(gallery, { display_name: display_name === gallery ? '' : display_name })
      onRenamed()
    },
  })
  return (
    <form class="card stack tight inline-form" {...attributes}>
      <h2>{texts.rename}</h2>
      <InputField
        key={title}
        label={texts.newName}
        hint={texts.keyOf(gallery)}
        name="title"
        maxLength={LONGEST_DISPLAY_NAME}
        defaultValue={title}
      />
      <SaveFormEnd action={action} />
    </form>
  )
}

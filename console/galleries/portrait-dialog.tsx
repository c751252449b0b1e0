/** Shows a portrait, from the camera or pasted, and enrols it under the name that the user gives. */
import { ConfirmDialog } from '../components/dialog.tsx'
import { InputField, NOT_EMPTY } from '../components/fields.tsx'
import { useClient } from '../connection/service.ts'
import { useToken } from '../connection/session.ts'
import { nameParameters } from '../person-names.ts'
import { acceptedPhoto } from '../photos/jpeg.ts'
import { useShownPhoto } from '../photos/photo.ts'
import { TEXTS } from '../texts.ts'

interface Properties {
  gallery: string
  photo: File
  /** Called with the name of the person, and the number of faces on the photo if the biggest of several was enrolled. */
  onEnrolled: (name: string, seen: number | undefined) => void
  onClose: () => void
}

export function PortraitDialog({ gallery, photo, onEnrolled, onClose }: Properties) {
  const client = useClient()
  const { persons = false } = useToken()
  const shown = useShownPhoto(photo)
  const enrol = async (fields: FormData) => {
    const person = String(fields.get('name')).trim()
    const galleries = gallery === 'default' ? {} : { galleries: [gallery] }
    let seen: number | undefined
    const onFacesSeen = (faces: number) => {
      seen = faces
    }
    const parameters = { ...galleries, ...nameParameters(person, persons), mf_selector: 'biggest' } as const
    await client.faces.enrol(await acceptedPhoto(photo), parameters, { onFacesSeen })
    onEnrolled(person, seen)
  }
  return (
    <ConfirmDialog
      title={TEXTS.portrait.title}
      confirm={TEXTS.portrait.confirm}
      run={enrol}
      onClose={onClose}
    >
      {shown && <img class="webcam" src={shown.src} alt={TEXTS.input.pictureOf(photo.name)} />}
      <InputField label={TEXTS.portrait.name} name="name" hint={TEXTS.portrait.hint} {...NOT_EMPTY} />
    </ConfirmDialog>
  )
}

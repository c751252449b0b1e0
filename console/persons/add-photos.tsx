/** Adds further photos to a person: files, or pictures of the camera. */
import { useState } from 'preact/hooks'
import type { PersonSummary } from '../../clients/typescript/src/index.ts'
import { FileButton } from '../components/drop-zone.tsx'
import { Problem } from '../components/state.tsx'
import { WebcamButton } from '../components/webcam.tsx'
import { useService } from '../connection/service.ts'
import { useAction } from '../connection/task.ts'
import { acceptedPhoto } from '../photos/jpeg.ts'
import { TEXTS } from '../texts.ts'

interface Properties {
  person: PersonSummary
  /** Called after the last photo. */
  onAdded: () => void
}

/** The biggest face of each photo becomes one of the person, in the galleries of the face that represents the person. */
export function AddPhotos({ person: { id, face }, onAdded }: Properties) {
  const { client } = useService()
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

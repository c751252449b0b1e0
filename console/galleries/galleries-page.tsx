/** The page Galleries: all galleries with their newest faces and states, and a form for another one. */
import type { GalleryStatistics } from '../../clients/typescript/src/index.ts'
import { Thumbnail } from '../components/face-boxes.tsx'
import { PageHead } from '../components/page.tsx'
import { Loaded } from '../components/state.tsx'
import { galleryTitle } from '../connection/lists.ts'
import { useClient } from '../connection/service.ts'
import { useAllowed } from '../connection/session.ts'
import { useTask } from '../connection/task.ts'
import { hashOf } from '../route.ts'
import { TEXTS } from '../texts.ts'
import { CreateGallery } from './gallery-forms.tsx'

/** Faces that the card of a gallery shows. */
const SHOWN_FACES = 4

/** Galleries whose cards show faces: each costs a request. */
const MOST_WITH_FACES = 24

export function GalleriesPage() {
  const client = useClient()
  const mayChange = useAllowed('change')
  const list = useTask(signal => client.galleries.statistics({ signal }).toArray(), [])
  return (
    <>
      <PageHead title={TEXTS.galleries.title} intro={TEXTS.galleries.intro} />
      <Loaded task={list}>
        {galleries => (
          <ul class="cards">
            {galleries.map((gallery, i) => (
              <li key={gallery.name}>
                <a
                  class="card stack tight gallery-card"
                  href={hashOf({ page: 'gallery', name: gallery.name })}
                >
                  {i < MOST_WITH_FACES && <NewestFaces gallery={gallery.name} />}
                  <strong class="large">{galleryTitle(gallery)}</strong>
                  <Counts gallery={gallery} />
                </a>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      {mayChange && <CreateGallery onCreated={list.reload} />}
    </>
  )
}

function NewestFaces({ gallery }: { gallery: string }) {
  const client = useClient()
  const { value: faces, error } = useTask(
    signal => client.faces.list({ gallery, pageSize: SHOWN_FACES }, { signal }).toArray(SHOWN_FACES),
    [gallery],
  )
  return (
    <span class="newest">
      {faces?.map(face => (
        <Thumbnail key={face.id} face={face} />
      ))}
      {error !== undefined && <span class="hint">{TEXTS.galleries.noPictures}</span>}
      {faces?.length === 0 && <span class="hint">{TEXTS.galleries.empty}</span>}
    </span>
  )
}

interface StateProperties {
  name: string
  /** Another number loads the state again. */
  changes: number
  /** True while faces are being enrolled: an empty gallery is not called empty. */
  isGrowing?: boolean
}

/** The number of faces of a gallery and the state of its index. */
export function GalleryState({ name, changes, isGrowing }: StateProperties) {
  const client = useClient()
  const state = useTask(signal => client.galleries.statistics({ signal }).toArray(), [name], [changes])
  const gallery = state.value?.find(one => one.name === name)
  return <p>{gallery && !(isGrowing && gallery.faces === 0) && <Counts gallery={gallery} />}</p>
}

export const Counts = ({ gallery }: { gallery: GalleryStatistics }) => {
  const { faces, vectors = faces, retention_days: days } = gallery
  return (
    <span class="row hint counts">
      <strong>{TEXTS.galleries.faces(faces)}</strong>
      {vectors < faces && <span class="fault">{TEXTS.galleries.missing(faces - vectors)}</span>}
      {days !== undefined && <span>{TEXTS.galleries.days(days)}</span>}
    </span>
  )
}

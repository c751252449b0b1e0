/** The photos of a plan that show several faces: the taken face of each photo, and the choice of another face. */
import { useEffect, useState } from 'preact/hooks'
import { inParallel, PATIENT } from '../../clients/typescript/src/enrolment.ts'
import type { DetectedFace } from '../../clients/typescript/src/index.ts'
import { BoxedPhoto } from '../components/face-boxes.tsx'
import { useService } from '../connection/service.ts'
import { type FoundFile, faultOf } from '../photos/files.ts'
import { acceptedPhoto } from '../photos/jpeg.ts'
import { takenFace, useShownPhoto } from '../photos/photo.ts'
import { TEXTS } from '../texts.ts'

/** Photos in detection at a time, and photos that are shown at most. */
const PHOTOS_IN_FLIGHT = 2
const MOST_PHOTOS = 100

interface Group {
  found: FoundFile
  /** The photo that the service got. */
  photo: File
  faces: readonly DetectedFace[]
}

interface Properties {
  /** The chosen files, and the files of the plan. */
  files: readonly FoundFile[]
  planned: readonly FoundFile[]
  /** The faces that the visitor has chosen. */
  chosen: ReadonlyMap<FoundFile, DetectedFace>
  onChosen: (found: FoundFile, face: DetectedFace) => void
}

/** Detection goes on while the plan is shown. */
export function SeveralFaces({ files, planned, chosen, onChosen }: Properties) {
  const { groups, done, photos } = useGroups(files)
  const isPlanned = new Set(planned)
  const shown = groups.filter(({ found }) => isPlanned.has(found))
  const texts = TEXTS.several
  return (
    <>
      {done < photos && <p class="hint">{texts.looking(done, photos)}</p>}
      {shown.length > 0 && (
        <>
          <h3>{TEXTS.enrol.several(shown.length)}</h3>
          <p class="hint">{texts.hint}</p>
          <ul class="cards several" aria-label={texts.label}>
            {shown.slice(0, MOST_PHOTOS).map(group => (
              <GroupPhoto
                key={group.found.path}
                group={group}
                chosen={chosen.get(group.found)}
                onChosen={face => onChosen(group.found, face)}
              />
            ))}
          </ul>
          {shown.length > MOST_PHOTOS && <p>{TEXTS.enrol.more(shown.length - MOST_PHOTOS)}</p>}
        </>
      )}
    </>
  )
}

interface GroupProperties {
  group: Group
  chosen: DetectedFace | undefined
  onChosen: (face: DetectedFace) => void
}

function GroupPhoto({ group: { found, photo, faces }, chosen, onChosen }: GroupProperties) {
  const shown = useShownPhoto(photo)
  if (!shown) return null
  const selected = chosen ? faces.indexOf(chosen) : shown.size && takenFace(faces, shown.size)
  return (
    <li class="stack tight">
      <BoxedPhoto photo={shown} boxes={faces} selected={selected} onSelect={i => onChosen(faces[i]!)} />
      <small>{found.path}</small>
    </li>
  )
}

/** The photos with several faces, as they are found. A photo that the service refuses is none: the enrolment says why. */
function useGroups(files: readonly FoundFile[]) {
  const { backgroundClient } = useService()
  const [state, setState] = useState<{ groups: readonly Group[]; done: number; photos: number }>(NO_RESULT)
  useEffect(() => {
    const aborter = new AbortController()
    const { signal } = aborter
    const photos = files.filter(({ file }) => faultOf(file) === undefined)
    setState({ ...NO_RESULT, photos: photos.length })
    const look = async (found: FoundFile) => {
      const group = await facesOf(found).catch(() => undefined)
      if (signal.aborted) return
      setState(({ groups, done, photos }) => ({
        groups: group && group.faces.length > 1 ? [...groups, group] : groups,
        done: done + 1,
        photos,
      }))
    }
    const facesOf = async (found: FoundFile): Promise<Group> => {
      const photo = await acceptedPhoto(found.file)
      const { faces } = await backgroundClient.detect(photo, { quality: true }, { ...PATIENT, signal })
      return { found, photo, faces }
    }
    void inParallel(photos, PHOTOS_IN_FLIGHT, look, signal)
    return () => aborter.abort()
  }, [files])
  return state
}

const NO_RESULT = { groups: [], done: 0, photos: 0 }

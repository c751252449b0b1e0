/** Everything that is known about a stored face, who it is, and what a visitor may say about it: on its page, and in dialogs. */
import { useState } from 'preact/hooks'
import type { Camera, Face } from '../../clients/typescript/src/index.ts'
import { TellMe } from '../alerts/tell-me.tsx'
import { ConfirmButton } from '../components/dialog.tsx'
import { Thumbnail, useSeenFace, WhoLine } from '../components/faces.tsx'
import { PageHead } from '../components/page.tsx'
import { Loaded, Problem } from '../components/state.tsx'
import { Facts } from '../components/table.tsx'
import { cameraName, titleOfGallery, useCameras, useGalleries } from '../connection/lists.ts'
import { useService } from '../connection/service.ts'
import { useAllowed } from '../connection/session.ts'
import { useAction } from '../connection/task.ts'
import { formatDate, formatNumber } from '../format.ts'
import { PersonPicker } from '../persons/person-picker.tsx'
import { hashOf } from '../route.ts'
import { TEXTS } from '../texts.ts'
import { whoOfFace } from '../who.ts'
import { Clip, Snapshot } from './moments.tsx'
import { type Said, sayNotThem, sayWho, type Undo } from './say-who.ts'

export const FacePage = ({ id }: { id: number }) => (
  <>
    <PageHead
      title={TEXTS.face.title}
      back={{ route: { page: 'gallery', name: 'default' }, text: TEXTS.face.back }}
    />
    <FaceDetails
      id={id}
      onDeleted={() => {
        location.hash = hashOf({ page: 'galleries' })
      }}
    />
  </>
)

interface Properties {
  id: number
  /** Called after the person of the face has changed. */
  onChanged?: () => void
  onDeleted: () => void
}

export function FaceDetails({ id, onChanged, onDeleted }: Properties) {
  const { client } = useService()
  const seen = useSeenFace(id)
  const cameras = useCameras().value
  const { value: galleries } = useGalleries()
  const mayChange = useAllowed('change')
  const remove = async () => {
    await client.faces.delete(id)
    onDeleted()
  }
  const changed = () => {
    seen.reload()
    onChanged?.()
  }
  return (
    <Loaded task={seen}>
      {face => (
        <div class="face-details">
          <Thumbnail face={face} label={TEXTS.face.picture} />
          <div class="stack">
            <p class="face-who">
              <WhoLine who={whoOfFace(face)} />
            </p>
            {mayChange && <Naming face={face} onChanged={changed} />}
            {face.who && <TellMe id={face.who.person.id} name={whoOfFace(face)?.name ?? ''} />}
            <Facts class="details" facts={factsOf(face, cameras, name => titleOfGallery(galleries, name))} />
            <div class="row">
              {face.who && (
                <a class="button" href={hashOf({ page: 'person', id: face.who.person.id })}>
                  {TEXTS.face.person}
                </a>
              )}
              {mayChange && <ConfirmButton {...TEXTS.face.deletion} isDanger run={remove} />}
            </div>
          </div>
          {face.snapshot && <Snapshot key={face.snapshot} link={face.snapshot} face={face} />}
          {face.clip && <Clip key={face.clip} link={face.clip} />}
        </div>
      )}
    </Loaded>
  )
}

/** "This is ...", "not this person", and a way back. */
function Naming({ face, onChanged }: { face: Face; onChanged: () => void }) {
  const { client } = useService()
  const mayMerge = useAllowed('manage')
  const action = useAction()
  const [undo, setUndo] = useState<Undo>()
  const texts = TEXTS.face
  const run = (work: () => Promise<Undo | undefined>) =>
    void action.run(async () => {
      const back = await work()
      setUndo(() => back)
      onChanged()
    })
  const say = (said: Said) => run(() => sayWho(client, face, said, mayMerge))
  return (
    <div class="stack tight">
      <PersonPicker
        label={texts.thisIs}
        without={face.who?.person.id}
        onPick={person => say({ person })}
        onName={name => say({ name })}
      />
      <div class="row">
        {face.who && (
          <button
            type="button"
            class="quiet"
            disabled={action.isRunning}
            onClick={() => run(() => sayNotThem(client, face))}
          >
            {texts.notThem}
          </button>
        )}
        {undo && (
          <button
            type="button"
            disabled={action.isRunning}
            onClick={() => run(async () => void (await undo()))}
          >
            {texts.undo}
          </button>
        )}
      </div>
      <p role="status" class="hint">
        {action.isDone && (undo ? TEXTS.saved : texts.undone)}
      </p>
      <Problem error={action.problem} />
    </div>
  )
}

const cameraOf = ({ cam_id }: Face, cameras: Parameters<typeof cameraName>[0]): string | undefined =>
  cam_id === undefined ? undefined : (cameraName(cameras, cam_id) ?? TEXTS.events.cameraId(cam_id))

/** Names and values of what is kept about a face, for people. A value that does not apply is undefined. */
export function factsOf(
  face: Face,
  cameras: readonly Camera[] | undefined,
  titleOf: (gallery: string) => string,
): [string, string | undefined][] {
  const { quality, photo } = face
  const camera = cameraOf(face, cameras)
  const texts = TEXTS.events
  return [
    [texts.time, formatDate(face.timestamp)],
    [texts.camera, camera],
    [texts.meta, face.meta === whoOfFace(face)?.name ? undefined : face.meta],
    [texts.galleries, face.galleries.map(titleOf).join(', ')],
    [
      TEXTS.try.quality,
      quality?.quality === undefined ? undefined : TEXTS.face.quality(quality.quality, formatNumber),
    ],
    [texts.isFriend, camera === undefined ? undefined : face.friend ? texts.yes : texts.no],
    [TEXTS.photo, photo],
    [texts.id, String(face.id)],
  ]
}

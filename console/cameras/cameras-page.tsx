/** The pages of cameras: all cameras with a switch for each, one camera, stored or new, and its recording. */
import { useState } from 'preact/hooks'
import type { Camera, CameraParameters, CameraRecording } from '../../clients/typescript/src/index.ts'
import { CAMERA_LIMITS } from '../../contract/limits/cameras.ts'
import { maskedUrl } from '../../contract/url-credentials.ts'
import { ConfirmButton } from '../components/dialog.tsx'
import { DropZone, FileButton } from '../components/drop-zone.tsx'
import { InputField } from '../components/fields.tsx'
import { PageHead } from '../components/page.tsx'
import { assertUnchanged, EnabledSwitch } from '../components/save-form.tsx'
import { Loaded, Problem } from '../components/state.tsx'
import { updateCamera, useCameras } from '../connection/lists.ts'
import { leaveFor, useClient, useService } from '../connection/service.ts'
import { useAllowed } from '../connection/session.ts'
import { useAction, useTask } from '../connection/task.ts'
import { formatCounted, formatShare } from '../format.ts'
import type { FoundFile } from '../photos/files.ts'
import { hashOf } from '../route.ts'
import { TEXTS } from '../texts.ts'
import { CodeText } from '../try/code.tsx'
import { shellQuoted } from '../try/requests.ts'
import { CameraForm } from './camera-form.tsx'
import { CameraSeen, CameraStateCard, LISTED_EVERY_MS } from './camera-state.tsx'

export function CamerasPage() {
  const mayChange = useAllowed('manage')
  const cameras = useCameras()
  return (
    <>
      <PageHead title={TEXTS.cameras.title} intro={TEXTS.cameras.intro}>
        {mayChange && (
          <a class="button primary" href={hashOf({ page: 'new camera' })}>
            {TEXTS.cameras.create}
          </a>
        )}
      </PageHead>
      <WatchSwitch />
      <Loaded task={cameras} empty={TEXTS.cameras.empty}>
        {found => (
          <ul class="cards wide">
            {found.map(camera => (
              <CameraCard key={camera.id} camera={camera} mayChange={mayChange} />
            ))}
          </ul>
        )}
      </Loaded>
    </>
  )
}

/** Starts and stops the watcher beside the service. Nothing where there is none, and for people who may not administer. */
function WatchSwitch() {
  const client = useClient()
  const mayAdminister = useAllowed('administer')
  const state = useTask(async signal => {
    if (!mayAdminister) return
    const [{ has_watcher }, { settings, fixed_by }] = await Promise.all([
      client.service.get({ signal }),
      client.service.settings({ signal }),
    ])
    const watch = settings.find(({ name }) => name === 'watch_cameras')
    return { has_watcher, fixed_by, isOn: watch?.value === true }
  }, [])
  if (state.value?.has_watcher === false) return <p class="note">{TEXTS.cameras.noFfmpeg}</p>
  if (!state.value) return null
  return (
    <section class="card stack tight">
      {state.value.fixed_by ? (
        <p>{TEXTS.personSettings.shared}</p>
      ) : (
        <EnabledSwitch
          label={TEXTS.cameras.watch}
          isEnabled={state.value.isOn}
          onChange={async watch_cameras => {
            await client.service.changeSettings({ watch_cameras })
            return watch_cameras
          }}
        />
      )}
      <p class="hint">{TEXTS.cameras.watchHint}</p>
    </section>
  )
}

function CameraCard({ camera, mayChange }: { camera: Camera; mayChange: boolean }) {
  const client = useClient()
  const name = camera.meta || TEXTS.cameras.unnamed
  return (
    <li class="card stack tight camera-card">
      <h2>{mayChange ? <a href={hashOf({ page: 'camera', id: camera.id })}>{name}</a> : name}</h2>
      {camera.url && <p class="hint">{maskedUrl(camera.url)}</p>}
      {camera.url && camera.enabled && <CameraSeen id={camera.id} everyMs={LISTED_EVERY_MS} />}
      {mayChange ? (
        <EnabledSwitch
          label={TEXTS.cameras.enabled}
          name={name}
          isEnabled={camera.enabled}
          onChange={async enabled => (await updateCamera(client, camera.id, { enabled })).enabled}
        />
      ) : (
        <p class="hint">{camera.enabled ? TEXTS.cameras.enabled : TEXTS.cameras.disabled}</p>
      )}
    </li>
  )
}

export function NewCameraPage() {
  const client = useClient()
  const create = async (fields: CameraParameters) => {
    const { id } = await client.cameras.create(fields)
    location.hash = hashOf({ page: 'camera', id })
  }
  return (
    <>
      <Head title={TEXTS.camera.createTitle} />
      <CameraForm camera={undefined} onSave={create} />
    </>
  )
}

export function CameraPage({ id }: { id: string }) {
  const client = useClient()
  const camera = useTask(signal => client.cameras.get(id, { signal }), [id])
  return (
    <>
      <Head title={camera.value?.meta || TEXTS.camera.editTitle} />
      <Loaded task={camera}>{found => <StoredCamera camera={found} />}</Loaded>
    </>
  )
}

const Head = ({ title }: { title: string }) => (
  <PageHead title={title} back={{ route: { page: 'cameras' }, text: TEXTS.camera.back }} />
)

/** The watcher changes the progress of a recording. */
const withoutRecording = ({ recording: _, ...camera }: Camera) => camera

function StoredCamera({ camera }: { camera: Camera }) {
  const service = useService()
  const { client } = service
  const [stored, setStored] = useState(withoutRecording(camera))
  const { url } = stored
  const save = async (fields: CameraParameters) => {
    assertUnchanged(stored, withoutRecording(await client.cameras.get(camera.id)))
    setStored(await client.cameras.update(camera.id, fields))
  }
  const remove = async () => {
    await client.cameras.delete(camera.id)
    leaveFor(service, { page: 'cameras' }, TEXTS.camera.deleted)
  }
  return (
    <>
      <p class="hint">
        {TEXTS.cameras.id} <code>{camera.id}</code>
      </p>
      {url && <CameraStateCard id={camera.id} />}
      <WatchSwitch />
      <RecordingCard id={camera.id} />
      <CameraForm camera={camera} onSave={save} />
      <ConfirmButton {...TEXTS.camera.deletion} isDanger run={remove} />
    </>
  )
}

/** Milliseconds of one piece, also over a slow connection, and between two readings of the progress. */
const PIECE_MS = 300_000
const PROGRESS_EVERY_MS = 2_000

function RecordingCard({ id }: { id: string }) {
  const client = useClient()
  const [file, setFile] = useState<File>()
  const upload = useAction()
  const [start, setStart] = useState('')
  const texts = TEXTS.recording
  const time = Date.parse(start)
  const isComplete = file && !Number.isNaN(time)
  const choose = (files: readonly FoundFile[]) => {
    setFile(files[0]?.file)
    upload.refuse()
  }
  const send = async (sent: File) => {
    const { size } = sent
    let at = 0
    do {
      const piece = sent.slice(at, at + CAMERA_LIMITS.recordingPieceBytes)
      const parameters = { start: new Date(time).toISOString(), size, at }
      at = (await client.cameras.putRecording(id, piece, parameters, { timeoutMs: PIECE_MS })).received
    } while (at < size)
  }
  return (
    <details class="card">
      <summary>{texts.title}</summary>
      <div class="stack">
        <p class="hint">{texts.hint}</p>
        <RecordingProgress id={id} isUploading={upload.isRunning} />
        <DropZone class="filled" label={texts.title} onFiles={choose}>
          <div class="row centered">
            <p>{file?.name ?? texts.drop}</p>
            <FileButton label={texts.choose} class="quiet" accept="video/*" onFiles={choose} />
          </div>
        </DropZone>
        <InputField
          label={texts.start}
          type="datetime-local"
          step={1}
          value={start}
          onInput={({ currentTarget: { value } }) => setStart(value)}
        />
        <div class="row">
          <button
            type="button"
            class="primary"
            disabled={!isComplete || upload.isRunning}
            onClick={() => void upload.run(() => send(file!))}
          >
            {texts.upload}
          </button>
        </div>
        <Problem error={upload.problem} />
        {isComplete && (
          <>
            <CodeText
              text={`mien watch --file ${shellQuoted(file.name)} --camera ${id} --start ${new Date(time).toISOString()}`}
            />
            <p class="hint">{texts.run}</p>
          </>
        )}
      </div>
    </details>
  )
}

function RecordingProgress({ id, isUploading }: { id: string; isUploading: boolean }) {
  const { client, backgroundClient } = useService()
  const { recording } =
    useTask(
      signal => backgroundClient.cameras.get(id, { signal }),
      [id],
      [isUploading],
      camera => (isUploading || (camera?.recording && !camera.recording.end) ? PROGRESS_EVERY_MS : undefined),
    ).value ?? {}
  if (!recording) return null
  const texts = TEXTS.recording
  const { size, received, read = 0, of, end } = recording
  const isUploaded = received === size
  return (
    <div class="stack tight">
      <p role="status">{recordingState(recording)}</p>
      {!end && (
        <>
          <progress
            value={isUploaded ? read : received}
            max={isUploaded ? of : size}
            aria-label={texts.progress}
          />
          <ConfirmButton {...texts.cancellation} isDanger run={() => client.cameras.deleteRecording(id)} />
        </>
      )}
    </div>
  )
}

function recordingState({ size, received, read, of, visits = 0, end }: CameraRecording) {
  const texts = TEXTS.recording
  if (!end && received < size) return texts.uploaded(formatShare(received / size))
  if (read === undefined) return texts.waits
  const length = of && Math.round(of)
  const progress = texts.reading(Math.round(read), length, formatCounted(visits, 'visit'))
  return end ? `${texts.ends[end]} ${progress}` : progress
}

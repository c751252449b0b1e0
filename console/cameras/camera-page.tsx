/** The page of one camera, stored or new. */
import { useState } from 'preact/hooks'
import type { Camera, CameraParameters } from '../../clients/typescript/src/index.ts'
import { ConfirmDialog } from '../components/confirm-dialog.tsx'
import { Problem } from '../components/problem.tsx'
import { Status } from '../components/status.tsx'
import { useService } from '../connection/context.ts'
import { useTask } from '../connection/task.ts'
import { hashOf } from '../route.ts'
import { TEXTS } from '../texts.ts'
import { CameraForm } from './camera-form.tsx'
import { CameraStateCard } from './camera-state.tsx'

export function NewCameraPage() {
  const { client } = useService()
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
  const { client } = useService()
  const camera = useTask(signal => client.cameras.get(id, { signal }), [id])
  return (
    <>
      <Head title={(camera.state === 'done' && camera.value.meta) || TEXTS.camera.editTitle} />
      {camera.state === 'running' && <Status text={TEXTS.loading} />}
      {camera.state === 'failed' && <Problem error={camera.error} onRetry={camera.retry} />}
      {camera.state === 'done' && <StoredCamera camera={camera.value} />}
    </>
  )
}

function StoredCamera({ camera }: { camera: Camera }) {
  const { client } = useService()
  const [isAsked, setIsAsked] = useState(false)
  const save = async (fields: CameraParameters) => {
    await client.cameras.update(camera.id, fields)
  }
  return (
    <>
      <p class="hint camera-id">
        {TEXTS.cameras.id} <code>{camera.id}</code>
      </p>
      {camera.url && <CameraStateCard id={camera.id} />}
      <CameraForm camera={camera} onSave={save} />
      <div>
        <button type="button" class="danger" onClick={() => setIsAsked(true)}>
          {TEXTS.camera.delete}
        </button>
      </div>
      {isAsked && <DeleteDialog camera={camera} onClose={() => setIsAsked(false)} />}
    </>
  )
}

const Head = ({ title }: { title: string }) => (
  <header class="page-head">
    <a class="back" href={hashOf({ page: 'cameras' })}>
      {TEXTS.camera.back}
    </a>
    <h1>{title}</h1>
  </header>
)

function DeleteDialog({ camera, onClose }: { camera: Camera; onClose: () => void }) {
  const { client } = useService()
  const run = async () => {
    await client.cameras.delete(camera.id)
    location.hash = hashOf({ page: 'cameras' })
  }
  return (
    <ConfirmDialog
      title={TEXTS.camera.deleteTitle}
      text={TEXTS.camera.deleteText}
      confirm={TEXTS.camera.deleteConfirm}
      isDanger
      run={run}
      onClose={onClose}
    />
  )
}

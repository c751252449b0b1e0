/** The page of one camera, stored or new. */
import type { Camera, CameraParameters } from '../../clients/typescript/src/index.ts'
import { ConfirmButton } from '../components/dialog.tsx'
import { PageHead } from '../components/page.tsx'
import { Loaded } from '../components/state.tsx'
import { useService } from '../connection/service.ts'
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
      <Head title={camera.value?.meta || TEXTS.camera.editTitle} />
      <Loaded task={camera}>{found => <StoredCamera camera={found} />}</Loaded>
    </>
  )
}

const Head = ({ title }: { title: string }) => (
  <PageHead title={title} back={{ route: { page: 'cameras' }, text: TEXTS.camera.back }} />
)

function StoredCamera({ camera }: { camera: Camera }) {
  const { client } = useService()
  const save = async (fields: CameraParameters) => {
    await client.cameras.update(camera.id, fields)
  }
  const remove = async () => {
    await client.cameras.delete(camera.id)
    location.hash = hashOf({ page: 'cameras' })
  }
  return (
    <>
      <p class="hint camera-id">
        {TEXTS.cameras.id} <code>{camera.id}</code>
      </p>
      {camera.url && <CameraStateCard id={camera.id} />}
      <CameraForm camera={camera} onSave={save} />
      <div>
        <ConfirmButton {...TEXTS.camera.deletion} isDanger run={remove} />
      </div>
    </>
  )
}

/** A dialog that shows what a watcher reads at an address that is not saved yet. */
import type { CameraParameters } from '../../clients/typescript/src/index.ts'
import type { Region } from '../../contract/model/camera.ts'
import { Dialog } from '../components/dialog.tsx'
import { Loaded } from '../components/state.tsx'
import { useService } from '../connection/service.ts'
import { useTask } from '../connection/task.ts'
import { TEXTS } from '../texts.ts'
import { CameraSeen } from './camera-state.tsx'

/** A region of interest without room for a face: no client posts an event. */
const NO_EVENTS: Region = [1, 1, 0, 0]

interface Properties {
  /** Address, and the watcher that reads it. */
  fields: CameraParameters
  onClose: () => void
}

/** A camera stands for the address until the dialog or the page is closed. */
export function AddressTrial({ fields, onClose }: Properties) {
  const { backgroundClient: client } = useService()
  const texts = TEXTS.camera.trial
  const trial = useTask(async signal => {
    const { id } = await client.cameras.create({ ...fields, meta: texts.name, roi: NO_EVENTS })
    const end = () => void client.cameras.delete(id).catch(() => {})
    if (signal.aborted) end()
    signal.addEventListener('abort', end)
    addEventListener('pagehide', end, { signal })
    return id
  }, [])
  return (
    <Dialog title={texts.title} onClose={onClose}>
      <p class="hint">{texts.hint}</p>
      <Loaded task={trial}>{id => <CameraSeen id={id} />}</Loaded>
      <div class="row actions">
        <button type="button" class="primary" onClick={onClose}>
          {TEXTS.done}
        </button>
      </div>
    </Dialog>
  )
}

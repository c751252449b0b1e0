/** The cameras of the owner, and their names. */
import type { Camera, CameraChange, MienClient } from '../../clients/typescript/src/index.ts'
import { useService } from '../connection/context.ts'
import { useTask } from '../connection/task.ts'

/**
 * Changes a camera. The API deletes regions that a change leaves out: those of the stored camera are read and sent again, because
 * they may have changed since the page was loaded.
 */
export async function updateCamera(
  client: MienClient,
  id: string,
  change: Omit<CameraChange, 'rot' | 'roi'>,
): Promise<Camera> {
  const { rot, roi } = await client.cameras.get(id)
  return client.cameras.update(id, { ...change, rot, roi })
}

/** The cameras; an empty list until they are loaded. */
export function useCameras(): readonly Camera[] {
  const { client } = useService()
  const list = useTask(signal => client.cameras.list({ signal }).toArray(), [])
  return list.state === 'done' ? list.value : []
}

/** The meta of a camera by its id, with or without dashes. Undefined: it has none, or the camera was deleted. */
export const cameraName = (cameras: readonly Camera[], id: string): string | undefined =>
  cameras.find(camera => withoutDashes(camera.id) === withoutDashes(id))?.meta || undefined

const withoutDashes = (id: string): string => id.replaceAll('-', '')

/** Changes of a camera that keep its regions. */
import type { Camera, CameraChange, MienClient } from '../../clients/typescript/src/index.ts'

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

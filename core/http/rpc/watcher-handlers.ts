/** The handlers of operations on watched cameras. */
import type { RpcRequest, RpcResponse } from '../../../contract/rpc/operations.ts'
import type { Services } from '../../operations/services.ts'
import { cameraPicture, cameraState, leaseCamera, releaseCamera } from '../../operations/watchers.ts'
import { onlyBlob } from './blobs.ts'

type WatcherOperation = 'camera.lease' | 'camera.release' | 'camera.state' | 'camera.picture'

type WatcherHandlers = {
  [V in WatcherOperation]: (
    question: RpcRequest<V>,
    blobs: Uint8Array[],
  ) => Promise<{ answer: RpcResponse<V>; blobs?: Uint8Array[] }>
}

export const watcherHandlers = (services: Services): WatcherHandlers => ({
  'camera.lease': async (question, blobs) => ({
    answer: await leaseCamera(services, question, blobs.length === 0 ? undefined : onlyBlob(blobs)),
  }),
  'camera.release': async question => ({ answer: await releaseCamera(services, question) }),
  'camera.state': async question => ({ answer: await cameraState(services, question) }),
  'camera.picture': async question => {
    const picture = await cameraPicture(services, question)
    return { answer: {}, ...(picture && { blobs: [picture] }) }
  },
})

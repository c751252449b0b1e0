/** Cameras through the API of the running service. Credentials of cameras are never printed. */
import type { Camera } from '../../clients/typescript/src/index.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'
import { maskedUrl } from '../../contract/url-credentials.ts'
import { urlIn } from '../terminal/bounded-file.ts'
import type { ServiceOptions } from './options.ts'
import { clientOf, printList, printObject } from './service.ts'

export interface CameraOptions extends ServiceOptions {
  meta?: string
  /** URL of the camera's video. `url` is that of the service. */
  stream?: string
  streamFile?: string
  retentionDays?: number
  snapshot?: boolean
  clip?: boolean
}

export async function list(options: ServiceOptions): Promise<number> {
  const { cameras } = await clientOf(options)
  return printList(
    shownCameras(cameras.list()),
    options,
    ({ id, meta = '', enabled, url = '' }) => ({ id, meta, enabled: enabled ? 'yes' : 'no', stream: url }),
    'There are no cameras.',
  )
}

export const show = async (options: ServiceOptions, id: string): Promise<number> =>
  printObject(shown(await (await clientOf(options)).cameras.get(id)), options)

export async function create(options: CameraOptions): Promise<number> {
  const { meta, stream, streamFile, retentionDays, snapshot, clip } = options
  const parameters = {
    ...omitUndefined('meta', meta),
    ...omitUndefined('url', await urlIn('--stream', stream, streamFile)),
    ...omitUndefined('retention_days', retentionDays),
    ...((snapshot || clip) && {
      options: { ...omitUndefined('snapshot', snapshot), ...omitUndefined('clip', clip) },
    }),
  }
  return printObject(shown(await (await clientOf(options)).cameras.create(parameters)), options)
}

async function remove(options: ServiceOptions, id: string): Promise<number> {
  await (await clientOf(options)).cameras.delete(id)
  console.log(`The camera ${id} is deleted.`)
  return 0
}

export { remove as delete }

const shown = (camera: Camera): Camera =>
  camera.url === undefined ? camera : { ...camera, url: maskedUrl(camera.url) }

async function* shownCameras(cameras: AsyncIterable<Camera>): AsyncGenerator<Camera> {
  for await (const camera of cameras) yield shown(camera)
}

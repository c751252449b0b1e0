/** Cameras through the API of the running service. */
import { omitUndefined } from '../../edge/parameters/omit-undefined.ts'
import { clientOf, printList, printObject } from './service.ts'
import type { ServiceOptions } from './service-options.ts'

export interface CameraOptions extends ServiceOptions {
  meta?: string
  /** URL of the camera's video. `url` is that of the service. */
  stream?: string
  retentionDays?: number
}

export const list = async (options: ServiceOptions): Promise<number> =>
  printList(
    (await clientOf(options)).cameras.list(),
    options,
    ({ id, meta = '', enabled, url = '' }) => ({ id, meta, enabled: enabled ? 'yes' : 'no', stream: url }),
    'There are no cameras.',
  )

export const show = async (options: ServiceOptions, id: string): Promise<number> =>
  printObject(await (await clientOf(options)).cameras.get(id), options)

export async function create(options: CameraOptions): Promise<number> {
  const { meta, stream, retentionDays } = options
  const parameters = {
    ...omitUndefined('meta', meta),
    ...omitUndefined('url', stream),
    ...omitUndefined('retention_days', retentionDays),
  }
  return printObject(await (await clientOf(options)).cameras.create(parameters), options)
}

export async function remove(options: ServiceOptions, id: string): Promise<number> {
  await (await clientOf(options)).cameras.delete(id)
  console.log(`The camera ${id} is deleted.`)
  return 0
}

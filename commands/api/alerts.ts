/** Alert rules through the API of the running service. */
import type { AlertFormat } from '../../contract/model/alert.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'
import { urlIn } from '../terminal/bounded-file.ts'
import type { ServiceOptions } from './options.ts'
import { clientOf, printList, printObject } from './service.ts'

interface RuleOptions extends ServiceOptions {
  name?: string
  /** URL of the receiver. `url` is that of the service. */
  webhook?: string
  webhookFile?: string
  format?: AlertFormat
  browsers?: boolean
  camera?: string[]
  person?: number[]
  gallery?: string
  fpir?: number
  unknown?: boolean
  cooldown?: number
}

interface DeliveryOptions extends ServiceOptions {
  state?: 'pending' | 'delivered' | 'failed'
}

export const list = async (options: ServiceOptions): Promise<number> =>
  printList(
    (await clientOf(options)).alerts.list(),
    options,
    ({ id, name, enabled, url }) => ({
      id,
      name,
      enabled: enabled ? 'yes' : 'no',
      webhook: url ? 'yes' : 'no',
    }),
    'There are no alert rules.',
  )

export async function create(options: RuleOptions): Promise<number> {
  const { name, webhook, webhookFile, format, browsers, camera, person, gallery, fpir, unknown, cooldown } =
    options
  const parameters = {
    ...omitUndefined('name', name),
    ...omitUndefined('url', await urlIn('--webhook', webhook, webhookFile)),
    ...omitUndefined('format', format),
    ...omitUndefined('browsers', browsers),
    ...omitUndefined('cam_ids', camera),
    ...omitUndefined('person_ids', person),
    ...omitUndefined('gallery', gallery),
    ...omitUndefined('fpir', fpir),
    ...omitUndefined('unknown', unknown),
    ...omitUndefined('cooldown_seconds', cooldown),
  }
  return printObject(await (await clientOf(options)).alerts.create(parameters), options)
}

export const test = async (options: ServiceOptions, id: string): Promise<number> =>
  printObject(await (await clientOf(options)).alerts.test(id), options)

export const deliveries = async (options: DeliveryOptions, id: string): Promise<number> =>
  printList(
    (await clientOf(options)).alerts.deliveries(id, omitUndefined('state', options.state)),
    options,
    ({ id, type, state, created, attempts, face_id = '', fault = '' }) => ({
      ...{ id, type, state, created, attempts },
      ...{ face: face_id, fault },
    }),
    'There are no messages.',
  )

async function remove(options: ServiceOptions, id: string): Promise<number> {
  await (await clientOf(options)).alerts.delete(id)
  console.log(`The rule ${id} is deleted.`)
  return 0
}

export { remove as delete }

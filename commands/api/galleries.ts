/** Galleries through the API of the running service. */
import { omitUndefined } from '../../contract/omit-undefined.ts'
import { UsageError } from '../terminal/command-line.ts'
import type { ServiceOptions } from './options.ts'
import { clientOf, printList, printObject } from './service.ts'

interface GalleryOptions extends ServiceOptions {
  retentionDays?: number
}

export interface DeleteOptions extends ServiceOptions {
  yes?: boolean
}

const retentionOf = ({ retentionDays }: GalleryOptions) => omitUndefined('retention_days', retentionDays)

export const list = async (options: ServiceOptions): Promise<number> =>
  printList(
    (await clientOf(options)).galleries.list(),
    options,
    name => ({ name }),
    'There are no galleries.',
  )

export const show = async (options: ServiceOptions, name: string): Promise<number> =>
  printObject(await (await clientOf(options)).galleries.get(name), options)

export const create = async (options: GalleryOptions, name: string): Promise<number> =>
  printObject(await (await clientOf(options)).galleries.create(name, retentionOf(options)), options)

export async function change(options: GalleryOptions, name: string): Promise<number> {
  if (options.retentionDays === undefined) throw new UsageError('Nothing to change: name --retention-days.')
  return printObject(await (await clientOf(options)).galleries.update(name, retentionOf(options)), options)
}

async function remove(options: DeleteOptions, name: string): Promise<number> {
  if (!options.yes)
    throw new Error('This deletes the faces of the gallery. Nothing is deleted without --yes.')
  await (await clientOf(options)).galleries.delete(name)
  console.log(`The gallery ${name} and its faces are deleted.`)
  return 0
}

export { remove as delete }

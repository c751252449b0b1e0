/** Persons through the API of the running service. */
import type { DeleteOptions } from './galleries.ts'
import type { ServiceOptions } from './options.ts'
import { clientOf, printList, printObject } from './service.ts'

interface ListOptions extends ServiceOptions {
  name?: string
}

export const list = async (options: ListOptions): Promise<number> =>
  printList(
    (await clientOf(options)).persons.list({ name: options.name }),
    options,
    ({ id, meta }) => ({ id, meta }),
    'There are no persons.',
  )

export const show = async (options: ServiceOptions, id: number): Promise<number> =>
  printObject(await (await clientOf(options)).persons.get(id), options)

export const history = async (options: ServiceOptions, id: number): Promise<number> =>
  printList(
    (await clientOf(options)).persons.history(id),
    options,
    ({ timestamp, cam_id, face_id, meta }) => ({ time: timestamp, camera: cam_id, face: face_id, meta }),
    'No camera has seen this person.',
  )

interface GroupOptions extends ServiceOptions {
  preview?: boolean
  status?: boolean
  stop?: boolean
  undo?: boolean
}

export async function group(options: GroupOptions): Promise<number> {
  const { persons } = await clientOf(options)
  if (options.preview) return printObject(await persons.previewGrouping(), options)
  if (options.status) return printObject(await persons.grouping(), options)
  return printObject(await persons.group(options.undo ? 'undo' : options.stop ? 'stop' : 'start'), options)
}

async function remove(options: DeleteOptions, id: number): Promise<number> {
  if (!options.yes) throw new Error('This deletes all faces of the person. Nothing is deleted without --yes.')
  await (await clientOf(options)).persons.delete(id)
  console.log(`The person ${id} and all faces of this person are deleted.`)
  return 0
}

export { remove as delete }
